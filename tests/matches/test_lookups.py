"""Finding a match by its link."""

import pytest

from games.matches import limits, lookups, services
from games.refusals import Refusal


@pytest.mark.django_db
def test_ids_are_case_insensitive():
    match, _ = services.create_match(guest=services.new_guest(), game="chain-factor")
    found = lookups.found_match(match.pk.upper(), "192.0.2.1")
    assert found.row == match
    assert "192.0.2.1" not in limits.MISSES_BY_ADDRESS.buckets


@pytest.mark.django_db
@pytest.mark.parametrize("match_id", ["22222222", "", "x", "iiiiiiii", "222222222"])
def test_only_wrong_links_count_and_only_for_their_address(match_id):
    codes = []
    for _ in range(90):
        with pytest.raises(Refusal) as caught:
            lookups.found_match(match_id, "192.0.2.1")
        codes.append((caught.value.code, caught.value.status))
    assert codes[:60] == [("no_such_match", 404)] * 60
    assert codes[-1] == ("too_many", 429)
    assert lookups.wrong_link("192.0.2.2").code == "no_such_match"
