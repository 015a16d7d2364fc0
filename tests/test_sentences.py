"""A sentence is English text that keeps its template and values."""

import pickle

from games.sentences import TOGETHER, Sentence, Template, to_json

RESIGNED = Template("{player} resigned.", you="You resigned.")
FITS = Template("Centre {centre} fits {numbers}.")


def test_a_sentence_is_a_string_in_english():
    assert RESIGNED(player=2) == "Player 2 resigned."
    assert FITS(centre=6, numbers=[2, 3, 4]) == "Centre 6 fits 2, 3, 4."


def test_a_sentence_can_be_a_value_in_another():
    both = TOGETHER(first=FITS(centre=6, numbers=[2]), second=RESIGNED(player=1))
    assert both == "Centre 6 fits 2. Player 1 resigned."
    assert to_json(both) == {
        "template": "{first} {second}",
        "values": {
            "first": {"template": FITS.text, "values": {"centre": 6, "numbers": [2]}},
            "second": {"template": RESIGNED.text, "values": {"player": 1}, "you": RESIGNED.you},
        },
    }


def test_a_sentence_can_be_pickled():
    sent = pickle.loads(pickle.dumps(RESIGNED(player=1)))
    assert isinstance(sent, Sentence)
    assert (sent, sent.template, sent.values, sent.you) == (
        "Player 1 resigned.",
        RESIGNED.text,
        {"player": 1},
        RESIGNED.you,
    )
