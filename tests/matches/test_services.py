"""Creating and joining matches."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.matches import selectors, services
from games.models import Guest, Match
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
