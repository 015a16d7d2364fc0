"""Creating and joining matches."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.matches import action_log, identity, limits, rematches, selectors, services
from games.matches.action_log import Writing
from games.matches.selectors import StoredAction
from games.models import Guest, Match, new_serial
from games.refusals import Refusal

pytestmark = pytest.mark.django_db(transaction=True)


def create(guest, **settings):
    return services.create_match(guest=guest, game="chain-factor", **settings)[0]


def test_a_guest_is_stored_with_their_first_seat():
    one, two = services.new_guest(), services.new_guest()
    assert not Guest.objects.exists()
    match = create(one)
    assert set(Guest.objects.values_list("pk", "name")) == {(one.pk, one.name)}
    services.join_match(match_id=match.pk, guest=two)
    services.join_match(match_id=create(two).pk, guest=one)
    assert set(Guest.objects.all()) == {one, two}


@pytest.mark.parametrize(
    "settings",
    [{"starts": "nobody"}, {"name": "x" * 21}, {"options": {"pool": 101}}, {"pace": "slow"}],
)
def test_a_refused_request_stores_no_guest(settings):
    with pytest.raises(Refusal):
        create(services.new_guest(), **settings)
    assert not Guest.objects.exists()


def test_a_guest_who_comes_too_late_to_join_is_not_stored():
    one, two = services.new_guest(), services.new_guest()
    match = create(one, same_device=True)
    with pytest.raises(Refusal) as caught:
        services.join_match(match_id=match.pk, guest=two)
    assert caught.value.code == "full"
    assert set(Guest.objects.all()) == {one}


def test_a_guest_whose_row_was_deleted_can_sit_down_again():
    guest = services.new_guest()
    create(guest)
    token = identity.token_for(guest.pk)
    Match.objects.all().delete()
    Guest.objects.all().delete()
    again = services.guest_with(identity.guest_id_from(token))
    create(again)
    assert Guest.objects.get() == guest
    assert Guest.objects.get().name == guest.name


def test_a_guest_from_an_earlier_version_keeps_their_name():
    old = Guest.objects.create(name="Sleepy Marten")
    create(services.guest_with(old.pk))
    assert Guest.objects.get().name == "Sleepy Marten"


def test_new_guests_ids_fit_the_database_and_leave_room_for_its_own():
    Guest.objects.create(pk=identity.new_guest_id(), name="new")
    ids = {identity.new_guest_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(1 << 61 <= guest_id < 1 << 62 for guest_id in ids)
    assert services.computer_guest("casual").pk not in ids


def resigned(match):
    action = StoredAction(1, 1, None, "resign", "r", 1.0)
    action_log.write_actions([Writing(match.serial, [action], 2)])


def refusal_of_rematch(match, seat=1):
    with pytest.raises(Refusal) as caught:
        rematches.offer_rematch(match_id=match.pk, seat=seat, network="192.0.2.1")
    return caught.value.code


def rematch_of(match):
    return Match.objects.get(pk=match.pk).rematch


@pytest.mark.parametrize("settings", [{"same_device": True}, {"computer": "casual"}])
def test_rematches_count_as_new_matches(settings):
    guest = services.new_guest()
    match, seat = services.create_match(
        guest=guest, game="chain-factor", **{"starts": "me", **settings}
    )
    while True:
        resigned(match)
        if limits.CREATING_BY_GUEST.is_used_up(guest.pk):
            break
        seat = 1 if match.seat_1_id == guest.pk else 2
        rematches.offer_rematch(match_id=match.pk, seat=seat, network="192.0.2.1")
        match = rematch_of(match)
    assert Match.objects.count() == 21
    seat = 1 if match.seat_1_id == guest.pk else 2
    assert refusal_of_rematch(match, seat) == "too_many"
    assert rematch_of(match) is None
    # Later, the same rematch works.
    limits.CREATING_BY_GUEST.buckets.clear()
    rematches.offer_rematch(match_id=match.pk, seat=seat, network="192.0.2.1")
    assert rematch_of(match).number == 22


def test_a_rematch_counts_for_the_player_who_accepts_and_an_offer_survives_a_refusal():
    one, two = services.new_guest(), services.new_guest()
    match = create(one, starts="me")
    services.join_match(match_id=match.pk, guest=two)
    resigned(match)
    rematches.offer_rematch(match_id=match.pk, seat=1, network="192.0.2.9")
    assert not limits.CREATING_BY_GUEST.buckets
    while limits.CREATING_BY_ADDRESS.allows("192.0.2.1"):
        pass
    assert refusal_of_rematch(match, 2) == "too_many"
    assert Match.objects.get(pk=match.pk).rematch_offer == 1
    rematches.offer_rematch(match_id=match.pk, seat=2, network="192.0.2.2")
    assert rematch_of(match).seat_1_id == two.pk
    assert set(limits.CREATING_BY_GUEST.buckets) == {two.pk}


def listed_invitation(guest, starts="me"):
    settings = {"game": "chain-factor", "listed": True, "starts": starts}
    return services.create_match(guest=guest, **settings)[0]


def test_only_a_guests_newest_invitation_stays_listed_and_the_others_stay_open():
    ada, bo = (Guest.objects.create(name=name) for name in ("Ada", "Bo"))
    first, second = listed_invitation(ada, "me"), listed_invitation(ada, "friend")
    others = listed_invitation(bo)
    by_link, _ = services.create_match(guest=ada, game="chain-factor")
    newest = listed_invitation(ada)
    assert sorted(services.unlist_earlier(ada)) == sorted([first.pk, second.pk])
    assert services.unlist_earlier(ada) == []
    listed = set(Match.objects.filter(listed=True).values_list("pk", flat=True))
    assert listed == {others.pk, newest.pk}
    assert services.join_match(match_id=first.pk, guest=bo) == 2
    assert services.join_match(match_id=by_link.pk, guest=bo) in (1, 2)


def test_matches_being_played_stay_listed():
    ada, bo = (Guest.objects.create(name=name) for name in ("Ada", "Bo"))
    played = listed_invitation(ada)
    services.join_match(match_id=played.pk, guest=bo)
    services.create_match(guest=ada, game="chain-factor", listed=True, computer="casual")
    listed_invitation(ada)
    assert services.unlist_earlier(ada) == []
    assert Match.objects.filter(listed=True).count() == 3


def test_finding_a_guests_invitations_does_not_look_through_all_open_ones():
    """Strangers can create many, and every new listed invitation waits for this query."""
    ada = Guest.objects.create(name="Ada")
    with CaptureQueriesContext(connection) as queries:
        selectors.open_listed_of(ada)
    assert len(queries) == 2
    with connection.cursor() as cursor:
        for seat, query in enumerate(queries, 1):
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            ((*_, plan),) = cursor.fetchall()
            assert f"(seat_{seat}_id=?)" in plan


@pytest.mark.parametrize(
    ("settings", "pace"),
    [
        ({}, "no-hurry"),
        ({"listed": True}, "now"),
        ({"pace": "now"}, "now"),
        ({"pace": "no-hurry", "listed": True}, "no-hurry"),
        # Nobody can claim a win here.
        ({"same_device": True, "pace": "no-hurry"}, "now"),
        ({"computer": "casual", "pace": "no-hurry"}, "now"),
    ],
)
def test_the_pace_has_a_default_by_kind_of_match(settings, pace):
    match = create(services.new_guest(), **settings)
    assert Match.objects.get(pk=match.pk).pace == pace


@pytest.mark.parametrize("pace", ["now", "no-hurry"])
def test_a_rematch_keeps_the_pace_and_copies_no_names(pace):
    one, two = services.new_guest(), services.new_guest()
    match = create(one, starts="me", pace=pace, listed=pace == "no-hurry", name="Ada")
    services.join_match(match_id=match.pk, guest=two, name="Bo")
    resigned(match)
    for seat in (1, 2):
        rematches.offer_rematch(match_id=match.pk, seat=seat, network="192.0.2.1")
    again = rematch_of(match)
    assert (again.pace, again.name_1, again.name_2) == (pace, "", "")
    assert [again.shown_name(seat) for seat in (1, 2)] == ["Bo", "Ada"]


def test_serials_grow_even_within_a_millisecond(monkeypatch):
    monkeypatch.setattr("games.models.time.time_ns", lambda: 10**18)
    monkeypatch.setattr("games.models._last_serial", 0)
    serials = [new_serial() for _ in range(1000)]
    assert serials == sorted(set(serials))
