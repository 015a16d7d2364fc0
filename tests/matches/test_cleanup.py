"""Expired data is deleted, and played matches are kept."""

from datetime import timedelta
from itertools import zip_longest
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.matches import action_log, cleanup, rematches, services
from games.matches.action_log import Writing
from games.matches.selectors import StoredAction
from games.models import Action, Guest, Match

pytestmark = pytest.mark.django_db(transaction=True)

ALONE = ({"same_device": True}, {"computer": "casual", "starts": "me"})


def guest(name, age_in_days=0):
    made = Guest.objects.create(name=name)
    Guest.objects.filter(pk=made.pk).update(created=timezone.now() - timedelta(days=age_in_days))
    return made


def create(**settings):
    return services.create_match(guest=services.new_guest(), game="chain-factor", **settings)[0]


def between_people():
    match = create(starts="me")
    services.join_match(match_id=match.pk, guest=services.new_guest())
    return match


def act(match, seat, move):
    """Play a move, or resign if it is None."""
    version = Action.objects.filter(match=match).count() + 1
    decision, winner = ("resign", 3 - seat) if move is None else (None, None)
    action = StoredAction(version, seat, move, decision, f"c{version}", timezone.now().timestamp())
    action_log.write_actions([Writing(match.serial, [action], winner)])


def after(**age):
    return timezone.now() + timedelta(**age)


def test_a_sweep_closes_old_invitations_and_deletes_guests_without_a_match():
    now = timezone.now()
    inviter, player, other, idle, new = (
        *(guest(name, 60) for name in ("inviter", "player", "other", "idle")),
        guest("new"),
    )
    played, _ = services.create_match(guest=player, game="chain-factor")
    services.join_match(match_id=played.pk, guest=other)
    act(played, 1, 6)
    untaken, _ = services.create_match(guest=inviter, game="chain-factor")
    Match.objects.filter(pk=untaken.pk).update(created=now - timedelta(days=50))

    assert list(cleanup.sweep(now).values()) == [1, 0, 0, 0, 1]
    assert not Guest.objects.filter(pk=idle.pk).exists()
    # The row is kept, so that the link can still say that the invitation has ended.
    assert Match.objects.get(pk=untaken.pk).status == "expired"

    assert list(cleanup.sweep(now + timedelta(days=31)).values()) == [0, 1, 1, 0, 2]
    assert set(Match.objects.values_list("pk", flat=True)) == {played.pk}
    assert set(Guest.objects.all()) == {player, other}
    assert not any(cleanup.sweep(now + timedelta(days=100)).values())
    assert new.pk


@pytest.mark.parametrize("settings", ALONE)
@pytest.mark.parametrize("resigned", [False, True])
def test_a_match_alone_without_a_move_is_deleted_after_a_day(settings, resigned):
    match = create(**settings)
    if resigned:
        act(match, 1, None)
    assert cleanup.sweep(after(hours=23))[cleanup.UNUSED] == 0
    assert cleanup.sweep(after(hours=25))[cleanup.UNUSED] == 1
    assert not Match.objects.exists()
    assert not Action.objects.exists()


@pytest.mark.parametrize("settings", ALONE)
def test_a_match_alone_with_a_move_is_kept(settings):
    match = create(**settings)
    act(match, 1, 6)
    act(match, 2, None)
    assert cleanup.sweep(after(days=1000))[cleanup.UNUSED] == 0
    assert Match.objects.get() == match


def test_a_match_in_which_only_the_computer_moved_is_deleted():
    match = create(computer="casual", starts="friend")
    act(match, 1, 6)
    assert cleanup.sweep(after(hours=25))[cleanup.UNUSED] == 1


def test_a_match_between_people_without_a_move_is_deleted_30_days_after_its_end():
    resigned, abandoned = between_people(), between_people()
    act(resigned, 1, None)
    assert cleanup.sweep(after(days=29))[cleanup.UNUSED] == 0
    done = cleanup.sweep(after(days=31))
    assert (done[cleanup.UNUSED], done[cleanup.UNFINISHED]) == (1, 1)
    assert Match.objects.get() == abandoned
    assert cleanup.sweep(after(days=62))[cleanup.UNUSED] == 1


def test_a_played_match_survives_the_deletion_of_its_rematch():
    played = create(same_device=True)
    act(played, 1, 6)
    act(played, 2, None)
    rematches.offer_rematch(match_id=played.pk, seat=1, network="")
    assert Match.objects.count() == 2
    assert cleanup.sweep(after(hours=25))[cleanup.UNUSED] == 1
    assert Match.objects.get().rematch is None
    rematches.offer_rematch(match_id=played.pk, seat=1, network="")
    assert Match.objects.get(number=2).seat_1 == Match.objects.get(number=1).seat_2


def test_a_step_looks_at_a_bounded_number_of_rows(monkeypatch):
    monkeypatch.setattr(cleanup, "LOOKED_AT_ONCE", 2)
    for _ in range(5):
        create(same_device=True)
    steps = [step[cleanup.UNUSED] for step in cleanup.steps(after(hours=25))]
    # The first step looks for the computers, the last three at the guests.
    assert steps == [0, 0, 2, 0, 2, 0, 1, 0, 0, 0]


def test_a_step_changes_few_rows_because_moves_wait_while_they_are_locked(monkeypatch):
    monkeypatch.setattr(cleanup, "CHANGED_AT_ONCE", 2)
    for _ in range(5):
        create(same_device=True)
    steps = [step[cleanup.UNUSED] for step in cleanup.steps(after(hours=25))]
    assert [changed for changed in steps if changed] == [2, 2, 1]
    assert not Match.objects.exists()


def test_a_step_takes_no_longer_the_more_matches_there_are():
    """SQLite must find the rows by their keys and not by their status."""
    with CaptureQueriesContext(connection) as queries:
        create(same_device=True)
        cleanup.sweep(after(days=100))
    selects = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert len(selects) > 5
    with connection.cursor() as cursor:
        for sql in selects:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plan = " ".join(row[3] for row in cursor.fetchall())
            assert "status" not in plan
            assert "SCAN games_match" not in plan
            assert "SCAN games_action" not in plan


def test_a_sweep_skips_what_an_earlier_one_decided_to_keep():
    played, running = create(same_device=True), create(same_device=True)
    act(played, 1, 6)
    act(played, 2, None)
    act(running, 1, 6)
    cleanup.sweep(timezone.now())
    assert list(Match.objects.filter(kept=True)) == [played]
    assert list(Guest.objects.filter(kept=True)) == [played.seat_1]
    with CaptureQueriesContext(connection) as queries:
        assert cleanup.sweep(after(days=31))[cleanup.UNFINISHED] == 1
    assert not any(played.pk in query["sql"] for query in queries)
    cleanup.sweep(after(days=32))
    assert Match.objects.filter(kept=True).count() == Guest.objects.filter(kept=True).count() == 2


def test_computers_are_kept():
    create(computer="casual", starts="me")
    cleanup.sweep(after(days=2))
    assert not Match.objects.exists()
    assert cleanup.sweep(after(days=100))[cleanup.GUESTS] == 1
    assert [guest.level for guest in Guest.objects.all()] == ["casual"]


def test_two_sweeps_at_the_same_time_do_no_harm(monkeypatch):
    monkeypatch.setattr(cleanup, "LOOKED_AT_ONCE", 2)
    kept = create(same_device=True)
    act(kept, 1, 6)
    for _ in range(5):
        create(same_device=True)
    one, two = (cleanup.steps(after(hours=25)) for _ in range(2))
    pairs = zip_longest(one, two, fillvalue={})
    assert sum(step.get(cleanup.UNUSED, 0) for pair in pairs for step in pair) == 5
    assert Match.objects.get() == kept


def test_a_move_made_just_before_the_deletion_saves_the_match(monkeypatch):
    match = create(same_device=True)

    def moved_first():
        act(match, 1, 6)
        return transaction.atomic()

    monkeypatch.setattr(cleanup, "transaction", SimpleNamespace(atomic=moved_first))
    assert cleanup.sweep(after(hours=25))[cleanup.UNUSED] == 0
    assert Action.objects.count() == 1
