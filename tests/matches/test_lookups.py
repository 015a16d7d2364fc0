"""Finding a match by its link."""

import pytest

from games.matches import limits, lookups, services
from games.refusals import Refusal

NETWORK = "192.0.2.1"


@pytest.fixture
def guest():
    return services.new_guest()


@pytest.fixture
def match(guest, db):
    return services.create_match(guest=guest, game="chain-factor")[0]


def refusal_of(find, *arguments):
    with pytest.raises(Refusal) as caught:
        find(*arguments)
    refusal = caught.value
    return refusal.code, refusal.status, refusal.text


def use_up(network):
    while limits.MISSES_BY_ADDRESS.allows(network):
        pass


def test_ids_are_case_insensitive(match):
    assert lookups.find(match.pk.upper(), NETWORK, None) == match
    assert NETWORK not in limits.MISSES_BY_ADDRESS.buckets


@pytest.mark.django_db
@pytest.mark.parametrize("match_id", ["22222222", "", "x", "iiiiiiii", "222222222"])
def test_only_wrong_links_count_and_only_for_their_network(match_id):
    answers = [refusal_of(lookups.find, match_id, NETWORK, None)[:2] for _ in range(90)]
    assert answers[:60] == [("no_such_match", 404)] * 60
    assert answers[-1] == ("too_many", 429)
    assert refusal_of(lookups.find, match_id, "192.0.2.2", None)[0] == "no_such_match"


def test_above_the_limit_only_players_reach_a_match(match, guest):
    use_up(NETWORK)
    stranger = services.new_guest().who
    for asking in (None, stranger):
        right = refusal_of(lookups.find, match.pk, NETWORK, asking)
        assert right[0] == "too_many"
        assert right == refusal_of(lookups.find, "22222222", NETWORK, asking)
        assert right == refusal_of(lookups.find, "no id", NETWORK, asking)
    assert lookups.find(match.pk, NETWORK, guest.who) == match
    assert lookups.find(match.pk, "192.0.2.2", stranger) == match


def test_a_match_of_others_is_not_ones_own_and_asking_for_it_counts(match, guest):
    assert lookups.find_own(match.pk, NETWORK, guest.who) == match
    stranger = services.new_guest().who
    theirs = refusal_of(lookups.find_own, match.pk, NETWORK, stranger)
    assert theirs[0] == "no_such_match"
    assert theirs == refusal_of(lookups.find_own, "22222222", NETWORK, stranger)
    assert limits.MISSES_BY_ADDRESS.buckets[NETWORK].tokens < 59
