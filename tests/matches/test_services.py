"""Creating and joining matches."""

import pytest

from games.matches import identity, services
from games.models import Guest, Match
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
    "settings", [{"starts": "nobody"}, {"name": "x" * 21}, {"options": {"pool": 101}}]
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
