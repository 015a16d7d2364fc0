"""Simulated players: tables that play match after match, and checks of what players see."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from types import TracebackType
from typing import Any

from tests.faults.player import Address, Player
from tests.faults.truth import Database, seen
from tests.live.client import new_pair
from tests.serving import Server

# A game with long matches, one with forced passes, and one with a grid.
PLAYED = (
    ("chain-factor", {"pool": 100}),
    ("number-blossoms", {"pool": 20, "petals": 8}),
    ("number-collapse", {"size": 5}),
)


class Load:
    """Tables with two players and some spectators each; they play while `playing` is set."""

    def __init__(self, database: Database, *, think: float = 0.1, seed: int = 1) -> None:
        self.database, self.think, self.rng = database, think, Random(seed)
        self.playing = asyncio.Event()
        self.playing.set()
        self.present: set[Player] = set()
        self.past: list[Player] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Load":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        # Past players too: the cancelled task may have been about to disconnect one of them.
        ends = await asyncio.gather(
            *self._tasks, *(player.leave() for player in self.everybody), return_exceptions=True
        )
        wrong = [end for end in ends if isinstance(end, Exception)]
        if wrong and error is None:
            raise wrong[0]

    async def open(
        self,
        server: Server,
        tables: int,
        seats: Sequence[Address] = (),
        spectators: Sequence[Address] = (),
        **settings: Any,
    ) -> None:
        """Open tables, and connect players and spectators through these addresses."""
        seats = seats or (lambda: server.ws, lambda: server.ws)
        begun = []
        for number in range(tables):
            game, options = PLAYED[number % len(PLAYED)]
            match_id, *tokens = await asyncio.to_thread(
                new_pair, server, game, options=options, **settings
            )
            for address, token in zip(
                (*seats, *spectators), (*tokens, *[None] * len(spectators)), strict=True
            ):
                begun.append(Player(address, match_id, token))
        self.present.update(begun)
        for player in begun:
            await player.until(lambda player=player: player.is_connected, 30)
        self._tasks += [asyncio.create_task(self._stay(player)) for player in begun]

    async def _stay(self, player: Player) -> None:
        """Play one match after another; spectators follow each rematch."""
        while True:
            match_id = await self._play(player)
            following = Player(player.address, match_id, player.token)
            self.present.add(following)
            self.present.discard(player)
            self.past.append(player)
            await player.leave()
            player = following

    async def _play(self, player: Player) -> str:
        """Play or watch one match and its rematch offer; return the id of the next match."""
        while True:
            await player.until(lambda: self._has_something_to_do(player), None)
            await self.playing.wait()
            board = player.board
            assert board is not None
            if board["rematch"]["next"]:
                return str(board["rematch"]["next"])
            if player.may_move:
                await asyncio.sleep(self.think * (0.5 + self.rng.random()))
                if player.may_move and self.playing.is_set():
                    player.choose(self.rng.choice(player.board["legal"]))
            else:
                player.ask("rematch")
                # Without an answer, players press the button again.
                with suppress(TimeoutError):
                    await player.until(lambda: player.board["rematch"]["next"], 3)

    def _has_something_to_do(self, player: Player) -> bool:
        board = player.board
        if board is None or not player.is_connected:
            return False
        if board["rematch"]["next"]:
            return True
        return player.may_move or (board["status"] == "finished" and bool(board["you"]))

    # --- Checks -----------------------------------------------------------------------------

    @property
    def everybody(self) -> list[Player]:
        return [*self.past, *self.present]

    @property
    def acknowledged(self) -> int:
        return sum(len(player.acknowledged) for player in self.everybody)

    def check_records(self) -> None:
        """Check that every record is complete and contains every action that anyone was shown."""
        everybody = [
            (player.match_id, dict(player.shown), dict(player.acknowledged))
            for player in self.everybody
        ]
        records = self.database.records()
        for match_id in {match_id for match_id, _, _ in everybody}:
            records[match_id].board()
        for match_id, shown, acknowledged in everybody:
            actions = {action[0]: action[1:] for action in records[match_id].actions}
            for version, action in shown.items():
                assert actions[version][:3] == action
            for client_id, version in acknowledged.items():
                assert actions[version][3] == client_id

    async def everybody_back(self, seconds: float) -> float:
        """Wait until all clients are connected and up to date; return the seconds it took."""
        begin, present = time.monotonic(), tuple(self.present)
        records = await asyncio.to_thread(self.database.records)
        async with asyncio.timeout(seconds):
            for player in present:
                version = records[player.match_id].version
                await player.until(
                    lambda player=player, version=version: (
                        player not in self.present
                        or (player.is_connected and player.version >= version)
                    ),
                    None,
                )
        return time.monotonic() - begin

    async def everybody_sees_a_move(self, seconds: float) -> None:
        """Wait until everyone at every table has been shown another move."""
        shown = {player: len(player.shown) for player in self.present}
        try:
            async with asyncio.timeout(seconds):
                for player, before in shown.items():
                    await player.until(
                        lambda player=player, before=before: (
                            player not in self.present or len(player.shown) > before
                        ),
                        None,
                    )
        except TimeoutError:
            raise AssertionError(f"No move at {self._at_table_of(player)}") from None

    async def converged(self, seconds: float) -> float:
        """Stop playing and wait until all boards match the database; return the seconds it took."""
        self.playing.clear()
        begin = time.monotonic()
        while wrong := await asyncio.to_thread(self._unequal):
            if time.monotonic() - begin > seconds:
                raise AssertionError(f"Boards still differ after {seconds} s: {wrong[:3]}")
            await asyncio.sleep(0.1)
        took = time.monotonic() - begin
        self.check_records()
        return took

    def _unequal(self) -> list[str]:
        present = tuple(self.present)
        records = self.database.records()
        boards = {match_id: records[match_id].board() for match_id in {p.match_id for p in present}}
        return [
            f"{player} of {records[player.match_id].version}"
            for player in present
            if not player.is_connected
            or player.pending
            or seen(player.board) != boards[player.match_id]
        ]

    def _at_table_of(self, player: Player) -> list[str]:
        record = self.database.records()[player.match_id]
        there = [str(other) for other in self.everybody if other.match_id == player.match_id]
        return [f"{record.game} {record.status} {record.version}", *there]
