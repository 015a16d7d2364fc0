"""Names that people choose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.matches.identity import new_guest_id
from games.matches.names import BadName, clean_name, generated_name


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \t\n Lovelace ", "Ada Lovelace"),
        ("Zoë", "Zoë"),
        ("李", "李"),
        ("a\u202eb", "a b"),
        ("\uff21\uff44\uff41", "Ada"),
        ("x" * 20, "x" * 20),
        ("🙂", "🙂"),
    ],
)
def test_a_chosen_name_is_cleaned(given_name, shown):
    assert clean_name(given_name) == shown


@pytest.mark.parametrize("name", ["", " ", "\u200b", "x" * 21, "\ufdfa" * 5, "\u0301"])
def test_a_name_that_cannot_be_shown_is_refused(name):
    with pytest.raises(BadName) as caught:
        clean_name(name)
    assert caught.value.code == "bad_name"
    assert caught.value.text.values == {"longest": 20}


@given(st.text())
def test_an_accepted_name_is_short_and_visible_and_cleaning_it_again_changes_nothing(name):
    try:
        cleaned = clean_name(name)
    except BadName:
        return
    assert 1 <= len(cleaned) <= 20
    assert cleaned.isprintable()
    assert clean_name(cleaned) == cleaned


def test_generated_names_have_two_words_and_there_are_many():
    names = {generated_name(new_guest_id()) for _ in range(200)}
    assert len(names) > 100
    assert {len(name.split()) for name in names} == {2}


def test_a_generated_name_follows_from_the_guests_id():
    assert generated_name(7) == generated_name(7) != generated_name(8)
