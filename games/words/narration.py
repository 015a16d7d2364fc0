"""What a move did, in sentences: the events of the rules, told to people."""

from collections.abc import Iterable, Mapping

from games.rules import Event

SENTENCES: Mapping[str, str] = {
    "placed": "Player {seat} placed {number} on {after}. The tower is {count} blocks high.",
    "removed": "Player {seat} removed {number}.",
    "crossed_off": "Player {seat} crossed off {number}.",
    "centre": "Player {seat} chose {number} as the centre.",
    "petal": "Player {seat} added petal {number}: it shares the factor {shared} with the centre.",
    "completed": "Player {seat}'s blossom is complete.",
    "taken": "Player {seat} selected {number} at position {position}.",
    "collapsed": "{number} at position {position} fell under {under}.",
    "scored": "Player {seat} scored {points} and now has {total}.",
    "reached": "Player {seat} has reached the target of {target}.",
    "last_reply": "Player {seat} has one last turn to beat {total}.",
    "emptied": "The grid is empty.",
    "passed": "Player {seat} passed.",
    "stuck": "Player {seat} has nothing to play.",
    "won": "Player {seat} wins: {text}",
}


def tell(event: Event) -> str:
    """One event as a sentence."""
    if event["type"] == "placed" and event["after"] is None:
        return "Player {seat} placed {number} as the base of the tower.".format(**event)
    return SENTENCES[event["type"]].format(**event)


def tell_all(events: Iterable[Event]) -> list[str]:
    return [tell(event) for event in events]
