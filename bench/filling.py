"""Fills a database with a year of matches, as a site that has grown would have them.

    python -m bench.filling 400000

Uses the database that the settings name, and creates its tables. Prints ids and tokens of some of
the matches as JSON. The setups and moves are those of a few hundred random legal matches, which are
copied with new ids, players and times.

Of the matches, 5 % are live although nobody has moved for hours or weeks, 1 % are invitations, and
the others have ended. Players meet a friend, a stranger from the lobby, the computer, or themselves
on one device, and half of the finished matches continue with a rematch. One guest plays in two to
three percent of all matches.
"""

import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

import django

PLAYED_OF_EACH = 60
MATCHES_A_GUEST = 6
PERIOD = timedelta(days=365)
AT_ONCE = 1000
# How many ids of each status are printed. Only of one game and size, so that the samples of two
# databases take the same time to show. A small database gets some more matches, so that there are
# enough.
SAMPLES, SAMPLED = 64, "number-tower-duel"
SAMPLED_STATUSES = "open", "live", "finished"
# Finished matches that end because somebody resigns, and those that continue with a rematch.
RESIGNED, CONTINUED = 0.15, 0.5
LONGEST_SERIES = 30
# Statuses of matches that aren't continued: how many of 1,000, and the age of the oldest in days.
STATUSES = {
    "live": (96, 30),
    "open": (18, 14),
    "cancelled": (35, 30),
    "expired": (18, 44),
    "unfinished": (60, 365),
    "finished": (773, 365),
}
KINDS = {"by link": 30, "listed": 15, "computer": 40, "same device": 15}


class Played(NamedTuple):
    """A match that was played once, to be copied: its moves as (seat, move), and who won."""

    game: str
    options: str
    setup: str
    moves: Sequence[tuple[int, Any]]
    winner: int


def played_matches(rng: random.Random) -> list[list[Played]]:
    """Play some matches of each game and size."""
    from games.catalogue import KITS

    return [
        [play(kit.game, dict(size.options), rng) for _ in range(PLAYED_OF_EACH)]
        for kit in KITS.values()
        for size in kit.sizes[:2]
    ]


def play(game: Any, options: dict[str, Any], rng: random.Random) -> Played:
    state = game.setup(rng, **options)
    setup, moves = json.dumps(game.to_json(state)), []
    while (outcome := game.outcome(state)) is None:
        moves.append((state.turn, rng.choice(game.legal_moves(state))))
        state = game.play(state, *moves[-1]).state
    return Played(game.slug, json.dumps(options), setup, moves, outcome.winner)


class Made(NamedTuple):
    """A row of the table of matches, in the order of its columns, and its actions."""

    row: dict[str, Any]
    actions: list[Any]


class Site:
    """Makes the matches of a site that has been running for a year."""

    def __init__(self, matches: int, rng: random.Random) -> None:
        from games.matches import identity, services
        from games.solver import LEVELS

        self.rng, self.now = rng, datetime.now(UTC)
        self.played = played_matches(rng)
        self.guests = [identity.new_guest_id() for _ in range(max(10, matches // MATCHES_A_GUEST))]
        self.computers = [services.computer_guest(level).pk for level in LEVELS]
        self._serials: set[int] = set()

    def matches(self) -> Iterator[Made]:
        """Yield matches without end: series that have ended or wait for a move, in any order."""
        names, weights = [*STATUSES], [share for share, _ in STATUSES.values()]
        while True:
            (status,) = self.rng.choices(names, weights)
            yield from self._series(status)

    def _series(self, status: str) -> Iterator[Made]:
        """Make a match with this status, and before it those that were continued."""
        (kind,) = self.rng.choices([*KINDS], [*KINDS.values()])
        if status in ("open", "cancelled", "expired"):
            kind = self.rng.choice(["by link", "listed"])
        length = 1
        if status in ("live", "finished"):
            while self.rng.random() < CONTINUED and length < LONGEST_SERIES:
                length += 1
        age = timedelta(days=self.rng.uniform(0.1, STATUSES[status][1]))
        ids = [self._new_id() for _ in range(length)]
        seats = self._seats(kind, status)
        same = self.rng.choice(self.played)
        for number, match_id in enumerate(ids, 1):
            is_last = number == length
            created = self.now - age - timedelta(minutes=5 * (length - number))
            yield self._match(
                match_id,
                status if is_last else "finished",
                created,
                self.rng.choice(same),
                kind,
                *(seats if number % 2 else seats[::-1]),
                series=ids[0],
                number=number,
                rematch_id=None if is_last else ids[number],
            )

    def _match(
        self,
        match_id: str,
        status: str,
        created: datetime,
        played: Played,
        kind: str,
        seat_1: int | None,
        seat_2: int | None,
        **series: Any,
    ) -> Made:
        started = None if status in ("open", "cancelled", "expired") else created
        actions: list[Any] = []
        resigns = False
        if started is not None:
            resigns = status == "finished" and self.rng.random() < RESIGNED
            count = len(played.moves)
            if resigns or status != "finished":
                count = min(self.rng.randrange(2, max(3, count)), count - 1)
            if status == "live" and (seat_1, seat_2)[count % 2] in self.computers:
                # The computer doesn't keep people waiting.
                seat_1, seat_2 = seat_2, seat_1
            actions = self._actions(played.moves[:count], started, resigns)
        ended = None
        if status == "finished":
            ended = datetime.fromtimestamp(actions[-1].time, UTC)
        elif status not in ("open", "live"):
            # Expired after two weeks, unfinished after a month; cancelled soon.
            waited = {"expired": 14, "unfinished": 30, "cancelled": 0.05}[status]
            ended = min(self.now, created + timedelta(days=waited))
        winner = played.winner
        if resigns:
            winner = 3 - actions[-1].seat
        row = {
            "id": match_id,
            "serial": self._new_serial(created),
            "game": played.game,
            "options": played.options,
            "setup": played.setup,
            "listed": kind == "listed",
            "same_device": kind == "same device",
            "status": status,
            "seat_1_id": seat_1,
            "seat_2_id": seat_2,
            "name_1": "",
            "name_2": "",
            "created": created,
            "started": started,
            "ended": ended,
            "winner": winner if status == "finished" else None,
            "rematch_offer": 0,
            "kept": status in ("finished", "unfinished")
            and self._is_played(actions, seat_1, seat_2),
            **series,
        }
        return Made(row, actions)

    def _is_played(self, actions: list[Any], *seats: int | None) -> bool:
        """Return whether a person moved, so that sweeps keep the match."""
        return any(
            one.move is not None and seats[one.seat - 1] not in self.computers for one in actions
        )

    def _actions(
        self, moves: Sequence[tuple[int, Any]], started: datetime, resigns: bool
    ) -> list[Any]:
        from games.matches.selectors import StoredAction

        when, actions = started.timestamp(), []
        for version, (seat, move) in enumerate(moves, 1):
            when += 7.0
            # A forced pass has no id.
            client_id = None if move == "pass" else f"{self.rng.getrandbits(40):010x}"
            actions.append(StoredAction(version, seat, move, None, client_id, when))
        if resigns:
            version = len(moves) + 1
            actions.append(StoredAction(version, 2 - version % 2, None, "resign", "r", when + 7))
        return actions

    def _seats(self, kind: str, status: str) -> tuple[int | None, int | None]:
        """Choose who plays. The first guests play far more often than the last."""
        guest, friend = (self.guests[int(len(self.guests) * self.rng.random() ** 3)] for _ in "12")
        if status in ("open", "cancelled", "expired"):
            return self.rng.choice([(guest, None), (None, guest)])
        if kind == "same device":
            return guest, guest
        if kind == "computer":
            return self.rng.choice([(guest, one) for one in self.computers])
        return guest, friend

    def _new_id(self) -> str:
        from games.models import ID_ALPHABET, ID_LENGTH

        return "".join(self.rng.choices(ID_ALPHABET, k=ID_LENGTH))

    def _new_serial(self, created: datetime) -> int:
        """Return a serial as `new_serial` would have at that time."""
        serial = int(created.timestamp() * 1000) << 21 | self.rng.getrandbits(20)
        while serial in self._serials:
            serial += 1
        self._serials.add(serial)
        return serial


def write_rows(table: str, rows: list[dict[str, Any]]) -> None:
    from django.db import connection

    columns = ", ".join(rows[0])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(tuple(row.values()))
            return
        places = ", ".join(["%s"] * len(rows[0]))
        prepared = connection.ops.adapt_datetimefield_value
        cursor.executemany(
            f"INSERT INTO {table} ({columns}) VALUES ({places})",
            [
                tuple(
                    prepared(value) if isinstance(value, datetime) else value
                    for value in row.values()
                )
                for row in rows
            ],
        )


def fill(count: int, rng: random.Random) -> dict[str, Any]:
    """Write the matches; return ids of some of them by status, and the players' tokens."""
    from django.db import connection, transaction

    from games.matches import identity
    from games.matches.action_log import Writing, write_actions
    from games.matches.names import generated_name
    from games.models import Guest, Match

    site = Site(count, rng)
    made = list(islice(site.matches(), count))
    samples = {
        status: [one for one in made if is_sample(one, status)] for status in SAMPLED_STATUSES
    }
    for status, found in samples.items():
        wanted = (one for one in site.matches() if is_sample(one, status))
        more = list(islice(wanted, max(0, SAMPLES - len(found))))
        made += more
        samples[status] = rng.sample([*found, *more], SAMPLES)
    # In the order in which they were created, as a site stores them.
    made.sort(key=lambda one: one.row["serial"])
    known = {one.row["id"] for one in made}
    long_ago = site.now - PERIOD
    keep = {one.row[seat] for one in made if one.row["kept"] for seat in ("seat_1_id", "seat_2_id")}
    with transaction.atomic():
        guests = [
            {
                "id": pk,
                "name": generated_name(pk),
                "created": long_ago,
                "level": "",
                "kept": pk in keep,
            }
            for pk in site.guests
        ]
        write_rows(Guest._meta.db_table, guests)
        for start in range(0, len(made), AT_ONCE):
            part = made[start : start + AT_ONCE]
            for one in part:
                # The last series may have been cut off.
                if one.row["rematch_id"] not in known:
                    one.row["rematch_id"] = None
            write_rows(Match._meta.db_table, [one.row for one in part])
            write_actions([Writing(one.row["serial"], one.actions, None) for one in part])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # As autovacuum does by itself after a while.
            cursor.execute("VACUUM ANALYZE")
        else:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return {
        "ids": {status: [one.row["id"] for one in found] for status, found in samples.items()},
        "newest": [one.row["id"] for one in made[-SAMPLES:]],
        "matches": len(made),
        "live": sum(one.row["status"] == "live" for one in made),
        "actions": sum(len(one.actions) for one in made),
        # The one with the most matches.
        "token": identity.token_for(site.guests[0]),
    }


def is_sample(one: Made, status: str) -> bool:
    """Return whether this match shows what a match with this status takes, and stays."""
    row = one.row
    stays = row["kept"] if status == "finished" else status == "open" or len(one.actions) > 1
    return bool(
        stays and (row["game"], row["options"]) == (SAMPLED, "{}") and row["status"] == status
    )


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "numgames_site.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(json.dumps(fill(int(sys.argv[1]), random.Random(1))))


if __name__ == "__main__":
    main()
