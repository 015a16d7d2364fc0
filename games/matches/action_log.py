"""The log of moves, forced passes and decisions. One commit holds those of many matches."""

import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games.matches import database
from games.matches.selectors import StoredAction
from games.models import Action, Match
from games.rules import Seat


class Writing(NamedTuple):
    """Actions of one match that belong together (a move and the pass it forces), and who won."""

    match_serial: int
    actions: Sequence[StoredAction]
    winner: Seat | None


class Conflict(Exception):
    """The database already has an action with this version or this client id."""


def commit(writings: Sequence[Writing]) -> list[bool | DatabaseError]:
    """Write a batch. Return for each item: True if it was saved, False if another action was there
    first, or the error.

    If the batch fails, it is rolled back and each item is retried alone, so that one bad item
    doesn't stop the others.
    """
    try:
        write_actions(writings)
        return [True] * len(writings)
    except Conflict:
        if len(writings) == 1:
            return [False]
    except DatabaseError as error:
        if database.is_lock_timeout(error):
            # Don't retry: the clients have waited long enough.
            return [error] * len(writings)
        connection.close()
    return commit_each(writings)


def commit_each(writings: Sequence[Writing]) -> list[bool | DatabaseError]:
    """Write each item alone, unless it is already there, and return what `commit` returns."""
    try:
        connection.ensure_connection()
    except DatabaseError as away:
        return [away] * len(writings)
    return [_commit_alone(writing) for writing in writings]


def _commit_alone(writing: Writing) -> bool | DatabaseError:
    try:
        # The commit may have succeeded even though its confirmation was lost.
        if is_written(writing):
            return True
        try:
            write_actions([writing])
            return True
        except Conflict:
            # It may also have been on its way when we looked.
            return is_written(writing)
    except DatabaseError as error:
        connection.close()
        return error


def write_actions(writings: Sequence[Writing]) -> None:
    """Write the actions of many matches in one transaction. Raise `Conflict` if any can't go in."""
    first = writings[0]
    is_one_row = len(writings) == 1 and len(first.actions) == 1 and first.winner is None
    # A single row needs no transaction, which saves two of the three statements.
    around = contextlib.nullcontext() if is_one_row else transaction.atomic()
    with around, connection.cursor() as cursor:
        _insert(cursor, writings)
        if cursor.rowcount != sum(len(writing.actions) for writing in writings):
            raise Conflict
        for writing in writings:
            if writing.winner is not None:
                cursor.execute(
                    END_STATEMENT, (writing.winner, timezone.now(), writing.match_serial)
                )


COLUMNS = "match_serial, version, seat, move, decision, client_id, time"
_INSERT = f"INSERT INTO {Action._meta.db_table} ({COLUMNS}) "
# A conflict shows as a missing row; an exception would abort the whole batch. We count the rows
# instead of returning them, because SQLite releases and retakes the interpreter lock for each row.
_UNLESS_THERE = " ON CONFLICT DO NOTHING"


END_STATEMENT = (
    f"UPDATE {Match._meta.db_table} SET status = 'finished', winner = %s, ended = %s "
    "WHERE serial = %s"
)


def insert_statement(count: int) -> str:
    """Return the statement that inserts this many rows, and skips those already there."""
    places = ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * count)
    return f"{_INSERT} VALUES {places} {_UNLESS_THERE}"


def rows_of(writings: Sequence[Writing]) -> list[tuple[Any, ...]]:
    """Return the values to insert, in the order of the columns."""
    return [
        (
            writing.match_serial,
            action.version,
            action.seat,
            None if action.move is None else str(action.move),
            action.decision,
            action.client_id,
            action.time,
        )
        for writing in writings
        for action in writing.actions
    ]


def _insert(cursor: Any, writings: Sequence[Writing]) -> None:
    rows = rows_of(writings)
    cursor.execute(insert_statement(len(rows)), [value for row in rows for value in row])


def is_written(writing: Writing) -> bool:
    """Return whether these actions are stored, after a commit whose outcome is unknown."""
    first = writing.actions[0]
    return Action.objects.filter(
        match__serial=writing.match_serial,
        version=first.version,
        seat=first.seat,
        client_id=first.client_id,
    ).exists()
