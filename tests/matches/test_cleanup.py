"""Expired data is deleted, and played matches are kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.matches import cleanup, services
from games.models import Guest, Match

pytestmark = pytest.mark.django_db(transaction=True)


def guest(name, age_in_days=0):
    made = Guest.objects.create(name=name)
    Guest.objects.filter(pk=made.pk).update(created=timezone.now() - timedelta(days=age_in_days))
    return made


def test_a_sweep_closes_old_invitations_and_deletes_guests_who_never_played():
    now = timezone.now()
    inviter, player, other, idle, new = (
        *(guest(name, 60) for name in ("inviter", "player", "other", "idle")),
        guest("new"),
    )
    played, _ = services.create_match(guest=player, game="chain-factor")
    services.join_match(match_id=played.pk, guest=other)
    untaken, _ = services.create_match(guest=inviter, game="chain-factor")
    Match.objects.filter(pk=untaken.pk).update(created=now - timedelta(days=50))

    assert list(cleanup.sweep(now).values()) == [1, 0, 0, 1]
    assert not Guest.objects.filter(pk=idle.pk).exists()
    # The row is kept, so that the link can still say that the invitation has ended.
    assert Match.objects.get(pk=untaken.pk).status == "expired"

    assert list(cleanup.sweep(now + timedelta(days=31)).values()) == [0, 1, 1, 2]
    assert set(Match.objects.values_list("pk", flat=True)) == {played.pk}
    assert set(Guest.objects.all()) == {player, other}
    assert cleanup.sweep(now + timedelta(days=31)) == dict.fromkeys(cleanup.sweep(now), 0)
    assert new.pk
