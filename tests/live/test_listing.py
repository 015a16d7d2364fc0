"""Which matches the lobby chooses, and in which order."""

from collections import Counter

from games.live.listing import (
    MOST_LIVE,
    MOST_OPEN,
    MOST_OPEN_A_NETWORK,
    Listed,
    hashed,
    in_turns,
    merged,
)


def open_match(number, *players):
    return Listed(f"m{number}", True, False, float(number), frozenset(players), frozenset())


def live_match(match_id="m", players=(), watchers=(), computer=False):
    return Listed(match_id, False, computer, 1.0, frozenset(players), frozenset(watchers))


def ids(matches):
    return [match.id for match in matches]


def test_networks_take_turns_and_the_newest_come_first():
    matches = [
        *(open_match(number, "a") for number in (1, 2, 9)),
        *(open_match(number, "b") for number in (3, 4)),
        open_match(5, "c"),
    ]
    chosen = in_turns(matches, MOST_OPEN, MOST_OPEN_A_NETWORK)
    assert ids(chosen) == ["m9", "m5", "m4", "m3", "m2", "m1"]


def test_somebody_with_many_entries_gets_only_the_places_that_others_leave_free():
    others = [open_match(number, f"other {number}") for number in range(40)]
    many = [open_match(100 + number, "attacker") for number in range(65)]
    chosen = in_turns([*many, *others], MOST_OPEN, MOST_OPEN_A_NETWORK)
    assert set(ids(others)) < set(ids(chosen))
    assert len(chosen) == MOST_OPEN
    # The newest entry of the attacker takes its turn like anybody's; the others come last.
    assert set(ids(chosen[:41])) == {*ids(others), "m164"}


def test_a_network_never_fills_the_list_alone():
    chosen = in_turns([open_match(number, "a") for number in range(65)], MOST_OPEN, 30)
    assert ids(chosen) == [f"m{number}" for number in range(64, 34, -1)]


def test_pairs_of_networks_get_no_turns_of_their_own():
    """Otherwise four networks would have six pairs besides, and ten turns in all."""
    networks = "abcd"
    pairs = [(one, two) for one in networks for two in networks if one < two]
    many = [open_match(10 + number, *pair) for number, pair in enumerate(pairs)]
    victim = open_match(1, "victim")
    assert ids(in_turns([*many, victim], MOST_LIVE, MOST_LIVE)).index("m1") <= len(networks) / 2


def test_a_match_against_the_computer_is_shown_only_if_another_network_watches():
    assert not live_match(players="a", computer=True).is_shown
    assert not live_match(players="a", watchers="a", computer=True).is_shown
    assert live_match(players="a", watchers="ab", computer=True).is_shown
    # Without its player, nothing happens in it any more.
    assert not live_match(watchers="b", computer=True).is_shown
    assert live_match(players="a").is_shown


def test_what_two_processes_know_is_combined():
    player = live_match(players="a", computer=True)
    watcher = live_match(watchers="b", computer=True)
    assert not player.is_shown
    (both,) = merged([player, watcher])
    assert both.is_shown
    assert both.networks == {"a"}
    # One of the processes has already seen that somebody joined.
    (joined,) = merged([open_match(1, "a"), live_match("m1", players="b")])
    assert not joined.is_open
    assert joined.networks == {"a", "b"}


def test_a_match_that_is_only_watched_takes_the_turn_of_its_spectators():
    matches = [live_match(f"m{number}", watchers="x") for number in range(20)]
    chosen = in_turns([*matches, live_match("real", players="ab")], MOST_LIVE, MOST_LIVE)
    assert "real" in ids(chosen)[:2]


def test_a_hash_tells_networks_apart_and_does_not_contain_the_address(settings):
    names = Counter(hashed(f"10.0.0.{number}") for number in range(256))
    assert len(names) == 256
    before = hashed("10.0.0.1")
    assert "10.0" not in before
    hashed.cache_clear()
    settings.SECRET_KEY = "another site's"
    assert hashed("10.0.0.1") != before
    hashed.cache_clear()
