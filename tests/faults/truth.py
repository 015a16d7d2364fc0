"""The expected state: rows read directly from the database and replayed by the rules."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import psycopg

from games.rules import GAMES, PASS


@dataclass
class Record:
    """One match as stored in the database."""

    game: str
    setup: Any
    status: str
    winner: int | None
    # (version, seat, move, decision, client id), in order.
    actions: list[tuple[int, int, Any, str | None, str | None]] = field(default_factory=list)

    @property
    def version(self) -> int:
        return len(self.actions)

    def board(self) -> dict[str, Any]:
        """Replay the match by the rules, check the record, and return what clients must show."""
        versions = [action[0] for action in self.actions]
        assert versions == list(range(1, len(versions) + 1)), f"gap in versions: {versions}"
        ids = [(seat, client_id) for _, seat, _, _, client_id in self.actions if client_id]
        assert len(ids) == len(set(ids)), f"duplicate id in {ids}"
        game = GAMES[self.game]
        state, winner, history = game.from_json(self.setup), None, []
        for version, seat, move, decision, client_id in self.actions:
            assert winner is None, "an action after the end"
            if decision is None:
                forced = game.legal_moves(state) == (PASS,)
                assert (client_id is None) == forced == (move == PASS)
                state = game.play(state, seat, move).state
                outcome = game.outcome(state)
                winner = outcome.winner if outcome else None
            else:
                winner = seat if decision == "claim" else 3 - seat
            history.append((version, seat, move, decision, game.to_json(state)))
        # A move and the pass it forces are saved together.
        assert winner is not None or game.legal_moves(state) != (PASS,)
        assert self.winner == winner
        assert self.status == ("live" if winner is None else "finished")
        return {
            "version": self.version,
            "status": self.status,
            "state": game.to_json(state),
            "turn": state.turn,
            "legal": [] if winner else list(game.legal_moves(state)),
            "winner": winner,
            "history": history,
        }


def seen(board: dict[str, Any]) -> dict[str, Any]:
    """Return what a client shows, in the format of `Record.board`."""
    names = ("version", "seat", "move", "decision", "state")
    return {
        **{key: board[key] for key in ("version", "status", "state", "turn", "legal")},
        "winner": board["outcome"] and board["outcome"]["winner"],
        "history": [tuple(entry[name] for name in names) for entry in board["history"]],
    }


class Database:
    """Reads the server's database directly, from a SQLite file path or a PostgreSQL URL."""

    def __init__(self, url: str) -> None:
        self.url = url

    def connect(self) -> Any:
        if self.url.startswith("postgresql:"):
            connection = psycopg.connect(self.url)
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            return connection
        # Read-only: a writer would clean up the files that a killed server left behind.
        connection = sqlite3.connect(f"file:{self.url}?mode=ro", uri=True)
        connection.execute("BEGIN")
        return connection

    def records(self) -> dict[str, Record]:
        """Return all matches as of one moment."""
        with closing(self.connect()) as connection:
            actions = connection.execute(
                "SELECT id, version, seat, move, decision, client_id FROM games_match "
                "JOIN (SELECT match_serial, version, seat, move, decision, client_id "
                "FROM games_action) actions ON match_serial = serial ORDER BY id, version"
            ).fetchall()
            matches = connection.execute(
                "SELECT id, game, setup, status, winner FROM games_match"
            ).fetchall()
        records = {}
        for match_id, game, setup, status, winner in matches:
            setup = json.loads(setup) if isinstance(setup, str) else setup
            records[match_id] = Record(game, setup, status, winner)
        for match_id, version, seat, move, decision, client_id in actions:
            move = int(move) if move is not None and move != PASS else move
            records[match_id].actions.append((version, seat, move, decision, client_id))
        return records
