"""Turns of the computer that were dropped are found, a few matches at a time."""

import time

import pytest

from games.matches import action_log, selectors, services
from games.matches.action_log import Writing
from games.matches.selectors import DAY, StoredAction
from games.models import Match, first_serial_at

pytestmark = pytest.mark.django_db(transaction=True)


def against_computer(starts):
    settings = {"game": "chain-factor", "computer": "casual", "starts": starts}
    return services.create_match(guest=services.new_guest(), **settings)[0]


def moves(match, seat, move, when):
    version = match.actions.count() + 1
    action = StoredAction(version, seat, move, None, str(version), when)
    action_log.write_actions([Writing(match.serial, [action], None)])


def overdue(**options):
    return selectors.overdue_computer_turns(time.time() + 1, **options)


def test_only_turns_of_the_computer_are_overdue():
    first, second = against_computer("friend"), against_computer("me")
    assert overdue().match_ids == [first.pk]
    moves(first, 1, 6, time.time())
    moves(second, 1, 6, time.time())
    assert overdue().match_ids == [second.pk]
    moves(second, 2, 3, time.time())
    assert overdue().match_ids == []


def test_a_turn_that_began_later_is_not_overdue():
    played, new = against_computer("me"), against_computer("friend")
    moves(played, 1, 6, time.time() + 60)
    assert overdue().match_ids == [new.pk]
    assert selectors.overdue_computer_turns(time.time() - 60).match_ids == []


def test_matches_that_have_ended_or_are_older_than_a_day_are_left_out():
    ended, old = against_computer("friend"), against_computer("friend")
    Match.objects.filter(pk=ended.pk).update(status=Match.Status.FINISHED)
    long_ago = first_serial_at(time.time() - DAY - 60)
    Match.objects.filter(pk=old.pk).update(serial=long_ago)
    assert overdue() == ([], 0)


def test_each_look_is_at_a_few_matches_and_the_next_goes_on_after_them(monkeypatch):
    monkeypatch.setattr(selectors, "LOOKED_AT_ONCE", 2)
    matches = [against_computer("friend") for _ in range(5)]
    found, start = [], 0
    for _ in range(3):
        look = overdue(start=start)
        found.append(look.match_ids)
        start = look.next
    ids = [match.pk for match in matches]
    assert found == [ids[:2], ids[2:4], ids[4:]]
    assert start == 0
