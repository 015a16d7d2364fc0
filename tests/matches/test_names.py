"""Names that people choose."""

import unicodedata

import pytest
import regex
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
    TOO_MANY_PARTS,
    BadName,
    clean_name,
    generated_name,
)
from games.models import Guest
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
        # Joiners and variants that nothing needs.
        ("A\u200dda", "Ada"),
        ("Ada\u200c\u200d", "Ada"),
        ("e\u200d\u0301", "é"),
        ("a\ufe0f", "a"),
        ("5\u200d👨", "5👨"),
        ("👨\u200d", "👨"),
        ("🏴\U000e0067", "🏴"),
        ("ب\u200c\u061cب", "ب ب"),
        ("①\ufe0f\u20e3", "1️⃣"),
        # No emoji has more than four parts.
        ("\u200d".join("👨" * 6), "👨\u200d👨\u200d👨\u200d👨👨\u200d👨"),
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


EMOJI = [
    *(
        "👨\u200d👩\u200d👧\u200d👦",
        "👩🏽\u200d🚀",
        "👨🏽\u200d❤️\u200d💋\u200d👨🏽",
        "🏳️\u200d🌈",
        "🏴\u200d☠️",
    ),
    *("👍🏽", "❤️", "☺️", "1️⃣", "#️⃣", "🇩🇪", "🇺🇳", "🏃🏽\u200d♀️\u200d➡️", "👁️\u200d🗨️"),
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    # These have a plain form, which is not the emoji.
    *("™️", "ℹ️", "Ⓜ️", "㊗️", "🈁", "‼️"),
    # Newer than the tables of the oldest Python we support.
    *("\U0001fae8", "\U0001f426\u200d\U0001f525"),
]


@pytest.mark.parametrize("emoji", EMOJI)
def test_an_emoji_of_several_code_points_stays_whole_and_counts_as_one(emoji):
    assert clean_name(emoji) == emoji
    assert clean_name(f"Ada {emoji}") == f"Ada {emoji}"
    assert clean_name("x" * 19 + emoji) == "x" * 19 + emoji
    with pytest.raises(BadName) as caught:
        clean_name("x" * 20 + emoji)
    assert caught.value.text.template == NAME_LENGTH.text


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cخواهم",
        "ස්ත්\u200dරී",
        "അനില്\u200d",
        "क्\u200cष",
        "葛\U000e0100城",
    ],
)
def test_what_a_script_needs_stays_although_nobody_sees_it(name):
    assert clean_name(name) == name


def test_twenty_letters_with_accents_fit():
    name = "ạ̈" * 20
    assert clean_name(name) == unicodedata.normalize("NFKC", name)


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
    TOO_MANY_PARTS: ["👨\u200d👩\u200d👧\u200d👦" * 18],
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
        *("🇨🇴🇲🇵🇺🇹🇪🇷", "🅒🅞🅜🅟🅤🅣🅔🅡", "🅲🅾️🅼🅿️🆄🆃🅴🆁", "coⓂ️puter", "com\u200cputer"),
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


# Everything that is treated specially, so that Hypothesis tries it in all combinations.
ODD = st.sampled_from(
    [
        *"aé5#*🙂👨❤™Ⓜ🈁🏴🏽🇩🇪بیकष್്葛ᠠ ",
        *"\u200b\u200c\u200d\ufe0e\ufe0f\u20e3\u0301\u0316\u034f\u061c\u180b\u180e\u094d\u202e\u3164",
        *"\U000e0067\U000e0062\U000e007f\U000e0100①ﷺ´",
    ]
)


@given(st.text() | st.text(ODD, max_size=30))
def test_an_accepted_name_is_short_and_visible_and_cleaning_it_again_changes_nothing(name):
    try:
        cleaned = clean_name(name)
    except BadName:
        return
    assert 1 <= len(regex.findall(r"\X", cleaned)) <= 20
    assert len(cleaned) <= Guest._meta.get_field("chosen").max_length
    assert cleaned == cleaned.strip()
    assert not regex.search(r"[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Bidi_Control}\u200b]|\p{Z}\p{Z}", cleaned)
    assert clean_name(cleaned) == cleaned


@given(st.lists(st.sampled_from(EMOJI), min_size=1, max_size=6))
def test_any_emoji_side_by_side_stay_as_they_are(emoji):
    name = "".join(emoji)
    assert clean_name(name) == name


def test_generated_names_have_two_words_and_there_are_many():
    names = {generated_name(new_guest_id()) for _ in range(200)}
    assert len(names) > 100
    assert {len(name.split()) for name in names} == {2}


def test_a_generated_name_follows_from_the_guests_id():
    assert generated_name(7) == generated_name(7) != generated_name(8)
