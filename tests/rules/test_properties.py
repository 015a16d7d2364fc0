"""Properties that hold for every game, with all options, in every match."""

import copy
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import KITS
from games.catalogue.narration import tell
from games.rules import GAMES, PASS, BadOption, IllegalMove, other
from games.rules.contract import EVENT_TYPES
from tests.games import facts_of

CODES = {
    "not_a_move",
    "not_available",
    "breaks_rule",
    "own_centre",
    "must_pass",
    "may_not_pass",
    "not_your_turn",
    "finished",
}


class SubclassOfStr(str):
    __slots__ = ()


NONSENSE = st.one_of(
    st.booleans(),
    st.floats(),
    st.text(),
    st.none(),
    st.binary(),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.integers()),
    st.sampled_from(["6", "PASS", "Pass", " pass", "１", 6.0, (6,), SubclassOfStr(PASS)]),
)
NUMBERS = st.one_of(st.integers(-3, 110), st.integers(), st.sampled_from([10**5000, -(10**5000)]))


@pytest.fixture(params=GAMES, scope="module")
def game(request):
    return GAMES[request.param]


def drawn_match(data, game):
    """Draw the states and moves of a random match, stopped at a random length or at its end."""
    rng = Random(data.draw(st.integers(0, 2**32), label="chance"))
    options = data.draw(facts_of(game.slug).OPTIONS, label="options")
    states, moves = [game.setup(rng, **options)], []
    length = data.draw(st.one_of(st.none(), st.integers(0, 12)), label="length")
    while legal := game.legal_moves(states[-1]):
        if len(moves) == length:
            break
        moves.append(rng.choice(legal))
        states.append(game.play(states[-1], states[-1].turn, moves[-1]).state)
    return states, moves


def code_of(game, state, seat, move):
    try:
        game.play(state, seat, move)
        return None
    except IllegalMove as caught:
        refusal = caught
    assert refusal.text[0].isupper() or refusal.text[0].isdigit()
    assert refusal.text.endswith(".")
    assert str(refusal) == refusal.text
    assert refusal.code in CODES
    return refusal.code


@given(data=st.data())
def test_legal_moves_are_exactly_the_moves_that_play_accepts(game, data):
    state = drawn_match(data, game)[0][-1]
    legal = game.legal_moves(state)
    accepted = [
        move for move in [*range(-2, 112), PASS] if code_of(game, state, state.turn, move) is None
    ]
    assert list(legal) == accepted
    assert legal in ((PASS,), tuple(sorted(legal, key=int) if PASS not in legal else ()))


@given(data=st.data())
def test_playing_does_not_change_the_given_state(game, data):
    states, moves = drawn_match(data, game)
    for state, move in zip(states, moves, strict=False):
        before, json_before = copy.deepcopy(state), json.dumps(game.to_json(state))
        game.play(state, state.turn, move)
        assert state == before
        assert hash(state) == hash(before)
        assert json.dumps(game.to_json(state)) == json_before


def test_a_state_is_immutable(game):
    state = game.setup(Random(0))
    with pytest.raises(AttributeError):
        state.turn = 2


@given(data=st.data())
def test_a_state_can_be_saved_and_loaded_as_json(game, data):
    for state in drawn_match(data, game)[0]:
        again = game.from_json(json.loads(json.dumps(game.to_json(state))))
        assert again == state
        assert hash(again) == hash(state)
        assert type(again) is type(state)
        assert game.to_json(state)["turn"] == state.turn


@given(data=st.data())
def test_every_match_ends_with_a_winner_and_nothing_left_to_play(game, data):
    rng = Random(data.draw(st.integers(0, 2**32)))
    state = game.setup(rng, **data.draw(facts_of(game.slug).OPTIONS))
    for _ in range(2 * 100 + 2):
        outcome, legal = game.outcome(state), game.legal_moves(state)
        assert (outcome is None) == bool(legal)
        if outcome is not None:
            break
        state = game.play(state, state.turn, rng.choice(legal)).state
    assert outcome.winner in (1, 2)
    assert outcome.code
    assert outcome.text.endswith(".")


@given(data=st.data())
def test_seats_alternate_and_a_replay_gives_the_same_states(game, data):
    states, moves = drawn_match(data, game)
    assert [state.turn for state in states] == [index % 2 + 1 for index in range(len(states))]
    state = game.from_json(game.to_json(states[0]))
    for move, expected in zip(moves, states[1:], strict=True):
        state = game.play(state, state.turn, move).state
        assert state == expected


@given(data=st.data())
def test_events_are_json_of_a_known_type_and_have_a_sentence(game, data):
    states, moves = drawn_match(data, game)
    for state, move in zip(states, moves, strict=False):
        step = game.play(state, state.turn, move)
        assert json.loads(json.dumps(step.events)) == list(step.events)
        types = [event["type"] for event in step.events]
        assert set(types) <= EVENT_TYPES
        assert all(text.endswith(".") for text in tell(KITS[game.slug], step.events))
        assert step.events[0]["seat"] == state.turn
        outcome = game.outcome(step.state)
        assert types.count("won") == (outcome is not None)
        if outcome is not None:
            assert step.events[-1] == {
                "type": "won",
                "seat": outcome.winner,
                "code": outcome.code,
                "text": outcome.text,
            }


def test_every_event_type_has_a_sentence_in_some_game():
    assert set().union(*(kit.narration for kit in KITS.values())) == EVENT_TYPES


@given(data=st.data())
def test_why_not_explains_every_illegal_number_on_the_board(game, data):
    state = drawn_match(data, game)[0][-1]
    why, legal = game.why_not(state), game.legal_moves(state)
    assert set(why) == set(game.on_board(state)) - set(legal)
    for number, text in why.items():
        with pytest.raises(IllegalMove) as caught:
            game.play(state, state.turn, number)
        assert caught.value.text == text


@given(data=st.data(), move=NONSENSE)
def test_nonsense_is_refused_with_a_code(game, data, move):
    state = drawn_match(data, game)[0][-1]
    if type(move) is str and move == PASS:
        return
    expected = "finished" if game.outcome(state) else "not_a_move"
    assert code_of(game, state, state.turn, move) == expected


@given(data=st.data(), move=NUMBERS)
def test_any_number_is_played_or_refused_with_a_code(game, data, move):
    state = drawn_match(data, game)[0][-1]
    code = code_of(game, state, state.turn, move)
    assert (code is None) == (move in game.legal_moves(state))


@given(data=st.data(), seat=st.one_of(NUMBERS, NONSENSE))
def test_a_wrong_seat_is_refused(game, data, seat):
    state = drawn_match(data, game)[0][-1]
    if type(seat) is int and seat == state.turn:
        seat = other(seat)
    move = next(iter(game.legal_moves(state)), 1)
    expected = "finished" if game.outcome(state) else "not_your_turn"
    assert code_of(game, state, seat, move) == expected


@pytest.mark.parametrize("name", ["rng", "self", "options", "", "\0"])
def test_a_parameter_of_python_is_not_an_option(game, name):
    with pytest.raises(BadOption):
        game.setup(Random(1), **{name: 1})
