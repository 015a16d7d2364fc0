"""A name that stays: chosen once, shown in every match."""

import pytest
from django.utils import timezone

from games.guests import devices, profile
from games.live import protocol
from games.matches import cleanup, selectors, services
from games.matches.loaded_match import LoadedMatch
from games.matches.names import BadName
from games.models import Guest, Match

pytestmark = pytest.mark.django_db(transaction=True)


def names_in(match):
    loaded = LoadedMatch(selectors.stored_match(match.pk))
    return [protocol.player(loaded, seat)["name"] for seat in (1, 2)]


def pair(one, two, **names):
    match, _ = services.create_match(guest=one, game="chain-factor", starts="me")
    services.join_match(match_id=match.pk, guest=two, **names)
    return match


def test_a_name_given_on_creating_or_joining_stays_for_all_matches():
    one, two = services.new_guest(), services.new_guest()
    first, _ = services.create_match(guest=one, game="chain-factor", starts="me", name="Ada")
    services.join_match(match_id=first.pk, guest=two, name="Bo 👨\u200d👩\u200d👧")
    second = pair(two, one)
    assert names_in(first) == ["Ada", "Bo 👨\u200d👩\u200d👧"]
    assert names_in(second) == ["Bo 👨\u200d👩\u200d👧", "Ada"]
    row = Match.objects.get(pk=first.pk)
    assert (row.name_1, row.name_2) == ("", "")


def test_without_a_name_the_guest_keeps_theirs():
    one, two = services.new_guest(), services.new_guest()
    profile.change_name(guest=one, name="Ada")
    assert names_in(pair(one, two)) == ["Ada", two.name]


def test_a_new_name_shows_in_earlier_matches_and_an_empty_one_is_the_generated_name_again():
    one, two = services.new_guest(), services.new_guest()
    match = pair(one, two, name="Bo")
    changed = profile.change_name(guest=two, name="  Bob ")
    assert profile.profile_of(changed) == {"name": "Bob", "generated": two.name, "record": {}}
    assert names_in(match) == [one.name, "Bob"]
    assert profile.change_name(guest=two, name="").shown_name == two.name
    assert names_in(match) == [one.name, two.name]


def test_a_guest_without_a_row_can_choose_a_name_and_is_stored():
    guest = services.new_guest()
    assert devices.stored_guest(guest.who) == guest
    profile.change_name(guest=guest, name="Ada")
    stored = devices.stored_guest(guest.who)
    assert (stored.name, stored.chosen) == (guest.name, "Ada")


def test_a_guest_with_a_name_and_no_match_is_deleted_after_thirty_days():
    profile.change_name(guest=services.new_guest(), name="Ada")
    cleanup.sweep(timezone.now())
    assert Guest.objects.count() == 1
    cleanup.sweep(timezone.now() + cleanup.KEPT_FOR * 1.1)
    assert not Guest.objects.exists()


@pytest.mark.parametrize("name", [" ", "x" * 21, "Computer"])
def test_a_refused_name_changes_and_stores_nothing(name):
    guest = services.new_guest()
    with pytest.raises(BadName):
        profile.change_name(guest=guest, name=name)
    assert not Guest.objects.exists()
    profile.change_name(guest=guest, name="Ada")
    with pytest.raises(BadName):
        profile.change_name(guest=guest, name=name)
    assert Guest.objects.get().chosen == "Ada"


def test_the_longest_name_fits_the_column_and_comes_back_unchanged():
    name = "👨\u200d👩\u200d👧\u200d👦" * 17
    profile.change_name(guest=services.new_guest(), name=name)
    assert Guest.objects.get().chosen == name


def test_a_match_from_an_earlier_version_keeps_its_names():
    one, two = services.new_guest(), services.new_guest()
    match = pair(one, two)
    Match.objects.filter(pk=match.pk).update(name_2="Bo")
    profile.change_name(guest=two, name="Bob")
    profile.change_name(guest=one, name="Ada")
    assert names_in(match) == ["Ada", "Bo"]
