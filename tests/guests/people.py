"""Guests and matches for the tests of this room."""

from games.guests import arrivals, device_links
from games.guests.labels import Kind
from games.matches import action_log, selectors, services
from games.matches.action_log import Writing
from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal

PHONE = Kind("Firefox", "Android")


def match_of(one, two=None, **settings):
    """Create a match in which the first guest has seat 1; the second joins, if given."""
    match, _ = services.create_match(guest=one, game="number-tower-duel", starts="me", **settings)
    if two is not None:
        services.join_match(match_id=match.pk, guest=two)
    return match


def loaded(match):
    return LoadedMatch(selectors.stored_match(match.pk))


def play(match, *moves):
    """Play these moves, each by the player whose turn it is."""
    for move in moves:
        now = loaded(match)
        entries = now.judge_move(now.state.turn, move, now.version, f"m{now.version}")
        outcome = entries[-1].outcome
        winner = outcome.winner if outcome else None
        actions = [entry.action for entry in entries]
        action_log.write_actions([Writing(match.serial, actions, winner)])


def resign(match, seat):
    now = loaded(match)
    (entry,) = now.judge_decision(seat, "resign", "r")
    action_log.write_actions([Writing(match.serial, [entry.action], entry.outcome.winner)])


def arrive(secret, *, current=None, merge=None, kind=PHONE):
    """Redeem a link's secret on a device that has been `current`."""
    who = current.who if current else None
    return arrivals.by_link(secret, current=who, merge=merge, kind=kind)


def another_device(guest):
    """Return the same guest on one more device."""
    return arrive(device_links.new_link(guest)).guest


def refused(function, *args, **keywords):
    """Return the code with which a call is refused."""
    try:
        function(*args, **keywords)
    except Refusal as refusal:
        return refusal.code
    return None
