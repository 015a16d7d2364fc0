"""The wire protocol: every message between clients and server, and the parser.

`docs/protocol.md` has an example of each.
"""

import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec

from games.matches.loaded_match import Entry, LoadedMatch, Result
from games.models import Match
from games.refusals import Refusal
from games.rules import Outcome, Seat
from games.rules.contract import FINISHED, Game
from games.sentences import PLAIN, Sentence, Template, to_json
from games.sentences import gettext_noop as _
from games.solver import LEVELS
from games.thinking.reviews import Explored

# Shown in place of a player who asked us to forget them. Pages translate it.
FORMER_PLAYER = Template(_("A former player"))

ClientId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Version = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


# None of these refer to each other in a circle, so the garbage collector can skip them.


class Move(msgspec.Struct, tag="move", gc=False):
    move: Any
    version: Version
    id: ClientId


class Resign(msgspec.Struct, tag="resign", gc=False):
    id: ClientId


class Claim(msgspec.Struct, tag="claim", gc=False):
    id: ClientId


class Rematch(msgspec.Struct, tag="rematch", gc=False):
    id: ClientId
    # Another game to play next. Empty: the same one, or the one that the other player offers.
    game: Annotated[str, msgspec.Meta(max_length=40)] = ""
    withdraw: bool = False


class Hint(msgspec.Struct, tag="hint", gc=False):
    version: Version
    id: ClientId


class React(msgspec.Struct, tag="react", gc=False):
    """A reaction from a fixed list. There is no chat, so there is nothing to moderate."""

    reaction: Literal["hello", "well_played", "wow", "oops", "thinking", "thanks"]
    id: ClientId


class Ping(msgspec.Struct, tag="ping", gc=False):
    version: Version


ClientMessage = Move | Resign | Claim | Rematch | Hint | React | Ping

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
# msgspec doesn't encode subclasses of str. A sentence is written as its English text.
_encode = msgspec.json.Encoder(enc_hook=str).encode


_MESSAGES = {str(kind.__struct_config__.tag): kind for kind in get_args(ClientMessage)}
_REQUIRED = {
    tag: [field.encode_name for field in msgspec.structs.fields(kind) if field.required]
    for tag, kind in _MESSAGES.items()
}


class BadMessage(Refusal):
    """The client sent something that isn't a message of this protocol; `id` is its id, if any.

    Only programmers see these texts, so they stay in English.
    """

    def __init__(self, code: str, text: str, client_id: str | None = None) -> None:
        super().__init__(code, PLAIN(text=text))
        self.id = client_id


def parse(text: str) -> ClientMessage:
    try:
        return _decoder.decode(text)
    except _UNREADABLE as error:
        raise _explained(text, str(error)) from error


# A ValidationError is a DecodeError; msgspec may raise it before it has read the whole text.
_UNREADABLE = (msgspec.DecodeError, UnicodeEncodeError, RecursionError)


def _explained(text: str, reason: str) -> BadMessage:
    """Return the refusal that says what is wrong with this text."""
    try:
        data = msgspec.json.decode(text)
    except _UNREADABLE:
        data = None
    if not isinstance(data, dict):
        return BadMessage("malformed", "A message must be one JSON object.")
    client_id = data.get("id")
    client_id = client_id if isinstance(client_id, str) and len(client_id) <= 64 else None
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in _REQUIRED:
        text = f"The type of a message must be one of {', '.join(_REQUIRED)}."
        return BadMessage("unknown_type", text, client_id)
    missing = [name for name in _REQUIRED[kind] if name not in data]
    if missing:
        text = f"A message of type {kind} needs the field {missing[0]}."
        return BadMessage("missing_field", text, client_id)
    return BadMessage("bad_field", f"{reason}.", client_id)


def encode(message: dict[str, Any]) -> str:
    return _encode(message).decode()


def position(game: Game[Any], state: Any, outcome: Any) -> dict[str, Any]:
    """Return what both a snapshot and an update say about a state."""
    if outcome is not None:
        # A decision can end a match that isn't over by the rules.
        numbers = game.on_board(state)
        return {
            "state": game.to_json(state),
            "legal": (),
            "why": dict.fromkeys(map(str, numbers), _IS_OVER),
            "reasons": [{"numbers": numbers, **to_json(_IS_OVER)}] if numbers else (),
            "turn": state.turn,
            "outcome": outcome_json(outcome),
        }
    why = game.why_not(state)
    return {
        "state": game.to_json(state),
        "legal": game.legal_moves(state),
        "why": {str(number): text for number, text in why.items()},
        "reasons": reasons(why),
        "turn": state.turn,
        "outcome": None,
    }


_IS_OVER = FINISHED()


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {**outcome._asdict(), **to_json(outcome.text)}


def reasons(why: Mapping[int, Sentence]) -> list[dict[str, Any]]:
    """Return each different sentence of `why` once, for translation, with its numbers."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for number, text in why.items():
        shared = {name: value for name, value in text.values.items() if name != "number"}
        key = (text.template, *shared.items())
        if key not in groups:
            groups[key] = {"numbers": [], **to_json(text)}
            groups[key]["values"].pop("number", None)
        groups[key]["numbers"].append(number)
    return list(groups.values())


class Update(msgspec.Struct, tag="update", gc=False):
    """What an update says about its action."""

    id: str | None
    version: int
    seat: Seat
    move: int | str | None
    decision: str | None
    series: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


def update(loaded: LoadedMatch, entry: Entry) -> str:
    """Return the message that tells everyone about one action, with its sender's id for it."""
    action, result = entry.action, entry.result
    message = Update(action.client_id, action.version, action.seat, action.move, action.decision)
    if result.outcome is not None:
        message.series = series(loaded)
    return (_encode(message)[:-1] + (result.encoded or _encoded(loaded.game, result))).decode()


def _encoded(game: Game[Any], result: Result) -> bytes:
    """Return a result as JSON, without the opening brace but with a comma in its place."""
    now = {"events": result.events, **position(game, result.state, result.outcome)}
    result.encoded = b"," + _encode(now)[1:]
    return result.encoded


def snapshot(loaded: LoadedMatch) -> dict[str, Any]:
    """Return everything about a match. `you` is added later, for each client."""
    row = loaded.row
    return {
        "type": "snapshot",
        "version": loaded.version,
        "id": row.pk,
        "game": row.game,
        "options": row.options,
        "status": "finished" if loaded.outcome else row.status,
        "listed": row.listed,
        "same_device": row.same_device,
        "pace": row.pace,
        "players": {str(seat): player(loaded, seat) for seat in (1, 2)},
        **position(loaded.game, loaded.state, loaded.outcome),
        "first_state": loaded.game.to_json(loaded.first_state),
        "history": [
            {
                "version": entry.action.version,
                "seat": entry.action.seat,
                "move": entry.action.move,
                "decision": entry.action.decision,
                "events": entry.events,
                "state": loaded.game.to_json(entry.state),
            }
            for entry in loaded.entries
        ],
        "series": series(loaded),
        "rematch": rematch(row),
    }


def player(loaded: LoadedMatch, seat: Seat) -> dict[str, Any] | None:
    """Return the player in this seat, with the name shown on the match's page."""
    guest = loaded.row.seat_1 if seat == 1 else loaded.row.seat_2
    if guest is None:
        return {"name": FORMER_PLAYER(), "former": True} if loaded.row.is_former(seat) else None
    if guest.level:
        about = LEVELS[guest.level].sentence
        return {"name": guest.name, "level": guest.level, "about": about, **to_json(about)}
    return {"name": loaded.row.shown_name(seat)}


def series(loaded: LoadedMatch) -> dict[str, Any]:
    one, two = loaded.score
    return {"number": loaded.row.number, "score": {"1": one, "2": two}}


def rematch(row: Match) -> dict[str, Any]:
    """Return who offers a rematch, in which game, and the id of the next match."""
    return {
        "offered_by": row.rematch_offer or None,
        "game": (row.rematch_game or row.game) if row.rematch_offer else None,
        "next": row.rematch_id,
    }


def refused(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as sockets and API send it: its code, text, template and values."""
    return {"code": refusal.code, "text": str(refusal.text), **to_json(refusal.text)}


def rejected(refusal: Refusal, client_id: str | None, version: int) -> str:
    return encode({"type": "rejected", "id": client_id, **refused(refusal), "version": version})


def hint(request: Hint, found: dict[str, Any]) -> str:
    """Return a hint for the player who asked: a good move and the reason."""
    return encode(
        {
            "type": "hint",
            "id": request.id,
            "version": request.version,
            "move": found["move"],
            "winner": found["winner"],
            "text": found["sentence"],
            **to_json(found["sentence"]),
        }
    )


def review(found: dict[str, Any]) -> dict[str, Any]:
    """Return a review, with the templates and values of its sentences."""
    marks = [{**mark, **to_json(mark["sentence"])} for mark in found["marks"]]
    return {**found, "marks": marks, **to_json(found["summary"])}


def explored(found: Explored) -> dict[str, Any]:
    """Return a position that was tried, and the solver's verdict on it."""
    now = position(found.game, found.state, found.outcome)
    return {**now, "events": found.events, "solution": found.solution}


def reaction(by: Seat | None, what: str) -> str:
    """Return a reaction for everyone, by a player or a spectator."""
    return encode({"type": "reaction", "by": by, "reaction": what})


def error(refusal: Refusal) -> str:
    """Return the last message before the server closes a socket."""
    return encode({"type": "error", **refused(refusal)})


def pong(version: int) -> str:
    return encode({"type": "pong", "version": version, "time": time.time()})
