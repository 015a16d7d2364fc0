"""A guest's matches, as lists show them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.guests import history
from games.guests.history import Standing
from games.matches import action_log, cleanup, services
from games.matches.action_log import Writing
from games.matches.selectors import StoredAction
from games.models import Match
from games.refusals import Refusal

pytestmark = pytest.mark.django_db

TOWER = {"game": "number-tower-duel", "starts": "me"}


def create(guest, **settings):
    return services.create_match(guest=guest, **{**TOWER, **settings})[0]


def play(one, two, **settings):
    match = create(one, **settings)
    services.join_match(match_id=match.pk, guest=two)
    return match


def move(match, version, number=6):
    seat = 2 - version % 2
    action = StoredAction(version, seat, number, None, f"m{version}", 1000.0 + version)
    action_log.write_actions([Writing(match.serial, [action], None)])


def resign(match, seat=1):
    action = StoredAction(1, seat, None, "resign", "r", 1000.0)
    action_log.write_actions([Writing(match.serial, [action], 3 - seat)])


@pytest.fixture
def one():
    return services.new_guest()


@pytest.fixture
def two():
    return services.new_guest()


def standings(guest):
    return {found.id: found.standing for found in history.current(guest.pk)}


def test_a_match_stands_differently_for_its_two_players(one, two):
    match = play(one, two)
    assert standings(one) == {match.pk: Standing.YOUR_TURN}
    assert standings(two) == {match.pk: Standing.WAITING}
    move(match, 1)
    assert standings(one) == {match.pk: Standing.WAITING}
    assert standings(two) == {match.pk: Standing.YOUR_TURN}


def test_an_invitation_is_open_until_somebody_joins_or_it_is_withdrawn(one, two):
    match = create(one)
    assert standings(one) == {match.pk: Standing.OPEN}
    services.cancel_invitation(match_id=match.pk, guest=one)
    assert standings(one) == {}


def test_on_one_device_it_is_always_your_turn(one):
    match = create(one, same_device=True)
    move(match, 1)
    assert standings(one) == {match.pk: Standing.YOUR_TURN}


def test_the_match_that_changed_last_comes_first(one, two):
    first, second = play(one, two), play(one, two)
    assert [found.id for found in history.current(one.pk)] == [second.pk, first.pk]
    action = StoredAction(1, 1, 6, None, "a", timezone.now().timestamp() + 60)
    action_log.write_actions([Writing(first.serial, [action], None)])
    assert [found.id for found in history.current(one.pk)] == [first.pk, second.pk]


def test_a_loaded_match_stands_as_the_query_says(one, two):
    match = play(one, two)
    stranger = services.new_guest()
    for version in range(3):
        if version:
            move(match, version, (6, 3)[version - 1])
        (loaded,) = history.load([match.pk])
        for guest in (one, two):
            assert history.standing_of(loaded, guest.pk) == standings(guest)[match.pk]
        assert history.standing_of(loaded, stranger.pk) is None


@pytest.mark.parametrize("swept", [False, True])
def test_finished_matches_come_in_pages_the_newest_first(one, two, swept):
    played = [play(*pair) for pair in [(one, two), (two, one)] * 3]
    for match in played:
        # Matches in which a person has moved are kept.
        move(match, 1)
        resign_after_a_move(match)
    ended = timezone.now()
    for number, match in enumerate(played):
        Match.objects.filter(pk=match.pk).update(ended=ended - timedelta(minutes=number // 2))
    if swept:
        cleanup.sweep(ended)
        assert Match.objects.filter(kept=True).count() == 6
    seen, before = [], None
    while True:
        page = history.page(one.pk, Standing.FINISHED, before, most=4)
        seen += [loaded.row.pk for loaded in page.matches]
        if (before := page.before) is None:
            break
    by_end = [played[number].pk for number in (1, 0, 3, 2, 5, 4)]
    assert seen == by_end


def resign_after_a_move(match):
    action = StoredAction(2, 2, None, "resign", "r", 1000.0)
    action_log.write_actions([Writing(match.serial, [action], 1)])


def test_a_page_of_everything_begins_with_what_goes_on(one, two):
    over, going_on, invitation = play(one, two), play(one, two), create(one)
    resign(over)
    page = history.page(one.pk)
    assert [loaded.row.pk for loaded in page.matches] == [invitation.pk, going_on.pk, over.pk]
    first = history.page(one.pk, most=1)
    second = history.page(one.pk, before=first.before, most=1)
    third = history.page(one.pk, before=second.before, most=1)
    pages = [loaded.row.pk for page in (first, second, third) for loaded in page.matches]
    assert pages == [invitation.pk, going_on.pk, over.pk]
    assert third.before is None


def test_a_page_of_one_kind_has_no_other(one, two):
    waiting, yours = play(two, one), play(one, two)
    create(one)
    assert [each.row.pk for each in history.page(one.pk, Standing.WAITING).matches] == [waiting.pk]
    assert [each.row.pk for each in history.page(one.pk, Standing.YOUR_TURN).matches] == [yours.pk]


@pytest.mark.parametrize("before", ["zzzzzzzz", "", "x" * 5000, "no"])
def test_a_page_after_an_unknown_match_is_refused(one, before):
    with pytest.raises(Refusal) as refused:
        history.page(one.pk, Standing.FINISHED, before)
    assert refused.value.code == "bad_query"


def test_a_page_after_somebody_elses_match_is_refused(one, two):
    match = play(one, two)
    resign(match)
    with pytest.raises(Refusal):
        history.page(services.new_guest().pk, Standing.FINISHED, match.pk)
