"""Old data has an end, and what was played is kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.matches import services
from games.models import Guest, Match
from games.refusals import Refusal

pytestmark = pytest.mark.django_db(transaction=True)


def guest(name, age_in_days=0):
    made = Guest.objects.create(name=name)
    Guest.objects.filter(pk=made.pk).update(created=timezone.now() - timedelta(days=age_in_days))
    return made


def test_a_sweep_removes_what_ended_without_a_move_and_guests_who_never_sat_down():
    now = timezone.now()
    inviter, player, other, idle, new = (
        *(guest(name, 60) for name in ("inviter", "player", "other", "idle")),
        guest("new"),
    )
    played, _ = services.create_match(guest=player, game="chain-factor")
    services.join_match(match_id=played.pk, guest=other)
    untaken, _ = services.create_match(guest=inviter, game="chain-factor")
    Match.objects.filter(pk=untaken.pk).update(created=now - timedelta(days=50))

    assert list(services.sweep(now).values()) == [1, 0, 0, 1]
    assert not Guest.objects.filter(pk=idle.pk).exists()
    # Whoever still has the link is told that the invitation has ended.
    assert Match.objects.get(pk=untaken.pk).status == "expired"

    assert list(services.sweep(now + timedelta(days=31)).values()) == [0, 1, 1, 2]
    assert set(Match.objects.values_list("pk", flat=True)) == {played.pk}
    assert set(Guest.objects.all()) == {player, other}
    assert services.sweep(now + timedelta(days=31)) == dict.fromkeys(services.sweep(now), 0)
    assert new.pk


def test_a_guest_who_is_swept_away_in_the_moment_of_sitting_down_is_told_so():
    gone = guest("gone")
    waiting, _ = services.create_match(guest=guest("host"), game="chain-factor")
    Guest.objects.filter(pk=gone.pk).delete()
    for sit_down in (
        lambda: services.create_match(guest=gone, game="chain-factor"),
        lambda: services.join_match(match_id=waiting.pk, guest=gone),
    ):
        with pytest.raises(Refusal) as caught:
            sit_down()
        assert caught.value.code == "no_guest"
