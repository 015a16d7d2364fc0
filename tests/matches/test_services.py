"""Creating and joining matches."""

import pytest

from games.matches import services
from games.models import Guest
from games.refusals import Refusal

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_guest_deleted_by_the_sweep_while_taking_a_seat_is_refused():
    gone = services.create_guest()
    waiting, _ = services.create_match(guest=services.create_guest(), game="chain-factor")
    Guest.objects.filter(pk=gone.pk).delete()
    for sit_down in (
        lambda: services.create_match(guest=gone, game="chain-factor"),
        lambda: services.join_match(match_id=waiting.pk, guest=gone),
    ):
        with pytest.raises(Refusal) as caught:
            sit_down()
        assert caught.value.code == "no_guest"
