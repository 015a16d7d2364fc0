"""The log of actions on a real database: batches, conflicts, failures."""

import gc
import sqlite3

import pytest
from django.db import DatabaseError, OperationalError

from games.matches import action_log, selectors
from games.matches.action_log import Conflict, Writing, commit
from games.matches.selectors import StoredAction
from games.models import Action
from tests.live.in_process import new_match

pytestmark = pytest.mark.django_db(transaction=True)


def writing(serial, version=1, seat=1, move=6, client_id="a", winner=None):
    action = StoredAction(version, seat, move, None, client_id, 1.0)
    return Writing(serial, [action], winner)


def test_the_garbage_collector_does_not_track_stored_actions():
    assert not gc.is_tracked(StoredAction(1, 1, 6, None, "a", 1.0))


def test_a_batch_saves_actions_and_ended_matches():
    matches = [new_match()[0] for _ in range(3)]
    batch = [writing(match.serial) for match in matches[:2]] + [
        writing(matches[2].serial, winner=1)
    ]
    assert commit(batch) == [True] * 3
    assert Action.objects.count() == 3
    matches[2].refresh_from_db()
    assert (matches[2].status, matches[2].winner) == ("finished", 1)
    assert selectors.actions_of([matches[0].pk])[matches[0].pk][0].move == 6


def test_a_version_that_is_taken_is_skipped_and_the_others_are_saved():
    first, second = new_match()[0], new_match()[0]
    commit([writing(first.serial)])
    assert commit([writing(first.serial, client_id="b"), writing(second.serial)]) == [False, True]
    assert Action.objects.filter(match=first).count() == 1


def test_a_move_and_the_pass_it_forces_are_saved_together_or_not_at_all():
    match, other = new_match()[0], new_match()[0]
    commit([writing(match.serial, version=1, client_id="theirs")])
    both = [
        StoredAction(1, 1, 6, None, "ours", 1.0),
        StoredAction(2, 2, "pass", None, None, 1.0),
    ]
    with pytest.raises(Conflict):
        action_log.write_actions([Writing(match.serial, both, None)])
    assert commit([Writing(match.serial, both, None), writing(other.serial)]) == [False, True]
    assert [action.version for action in selectors.actions_of([match.pk])[match.pk]] == [1]


def test_one_bad_item_does_not_stop_the_others():
    good = [new_match()[0] for _ in range(4)]
    batch = [writing(match.serial) for match in good]
    batch.insert(2, writing(7))  # its match does not exist: the commit itself fails
    results = commit(batch)
    assert [result is True for result in results] == [True, True, False, True, True]
    assert isinstance(results[2], DatabaseError)
    assert Action.objects.count() == 4


def test_a_commit_is_found_even_if_its_confirmation_was_lost(monkeypatch):
    match = new_match()[0]
    write, calls = action_log.write_actions, []

    def write_and_lose_the_connection(writings):
        write(writings)
        calls.append(writings)
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(action_log, "write_actions", write_and_lose_the_connection)
    assert commit([writing(match.serial)]) == [True]
    assert len(calls) == 1
    assert Action.objects.count() == 1


def test_if_the_database_is_locked_the_whole_batch_fails_without_retries(monkeypatch):
    calls = []

    def locked(writings):
        calls.append(writings)
        error = OperationalError("database is locked")
        error.__cause__ = sqlite3.OperationalError("database is locked")
        error.__cause__.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    monkeypatch.setattr(action_log, "write_actions", locked)
    results = commit([writing("a"), writing("b")])
    assert all(isinstance(result, OperationalError) for result in results)
    assert len(calls) == 1
