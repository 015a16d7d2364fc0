"""Names that people choose."""

import unicodedata

import pytest
from django.conf import settings
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from games.matches.identity import new_guest_id
from games.matches.names import (
    COMPUTERS_NAME,
    INVISIBLE,
    NAME_LENGTH,
    STACKED,
    BadName,
    clean_name,
    generated_name,
)
from games.sentences import Template
from games.solver import LEVELS
from games.words.translation import say


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


@pytest.mark.parametrize(
    "name",
    [
        "Nguyễn Thị Ngọc Diệp",
        unicodedata.normalize("NFD", "Nguyễn Thị Diệp"),
        "लड़कियाँ",
        "तारीफ़ें",
        "ज़ींस",
        "น้ำทิพย์",
        "ที่รัก",
        "שַּׁבָּת",
        "הַשַּׁבָּת",
        "مُحَمَّدٌ",
        "عَبْدُ اللَّٰه",
        "ɛ̃́",
        "རྐྱེན",
        "ညွှန့်",
        "ස්ත්‍රී",
        "1️⃣",
        "❤️",
        "Commuter",
        "Peter",
        "Compass",
        "Ротор",
    ],
)
def test_names_of_all_languages_are_accepted(name):
    assert clean_name(name)


REFUSED = {
    NAME_LENGTH: ["x" * 21, "\ufdfa" * 5, "x" * 201, " " * 201, "\ufdfa" * 800_000],
    INVISIBLE: [
        *("", " ", "\0", "\u200b", "\u202e\u200b", "\ufe0f", "\u034f", "\u0301", "\u0301\u0302"),
        *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u2800\u0301 \u3164", "\U0001d159"),
    ],
    STACKED: [
        *("a\u0316\u0317\u0318", "Z" + "\u0336\u0334\u0335" * 3, "é\u0301\u0302\u0303"),
        *("ก" + "็" * 4, "ل" + "ّ" * 4, "ש" + "ּ" * 4, "x\u0316\u0317\ufe0f\u20e3"),
    ],
    COMPUTERS_NAME: [
        *("computer", "COMPUTER", "The Computer", "C0mputer", "c0mput3r 2", "c o m p u t e r"),
        *(
            "сomputer",
            "cоmputer",
            "computеr",
            "comрuter",
            "СОМРuТЕг",
            "C.o.m-p_u/t(e)r",
            "Compüter",
        ),
        *("ᴄᴏᴍᴘᴜᴛᴇʀ", "ＣＯＭＰＵＴＥＲ", "🄲omputer", "cοmpυτεr", "Compμter", "com\u2800puter"),
    ],
}


@pytest.mark.parametrize(
    ("sentence", "name"),
    [(sentence, name) for sentence, names in REFUSED.items() for name in names],
    ids=lambda value: "" if isinstance(value, Template) else ascii(value)[:30],
)
def test_a_name_that_cannot_be_shown_is_refused(sentence, name):
    with pytest.raises(BadName) as caught:
        clean_name(name)
    assert caught.value.code == "bad_name"
    assert caught.value.text.template == sentence.text


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_nobody_can_have_the_name_of_a_computer(level, language):
    with override(language):
        name = say(level.computer)
    for written in (name, name.upper(), name.replace("o", "0"), name.replace("e", "е") + " 2"):
        with pytest.raises(BadName) as caught:
            clean_name(written)
        assert caught.value.text.template == COMPUTERS_NAME.text


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
