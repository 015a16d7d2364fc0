"""Letters that look like other letters, so that nobody can pretend to be the computer."""

import unicodedata

# What the computer's name has at every level and in every language; a test compares.
COMPUTER = "computer"

# Cyrillic, Greek and Armenian letters, small capitals, and the digits people write for letters.
# Upper and lower case stand here separately: Μ looks like M, but μ like u.
_LOOKALIKES = {
    "c": "СсᏟᴄ¢",
    "o": "0ОоΟοσՕօᴏØø",
    "m": "МмΜᴍ",
    "p": "РрΡρᴘ",
    "u": "μυսᴜʋ",
    "t": "7ТтΤτᴛ",
    "e": "3ЕеΕεҽᴇ℮",
    "r": "гʀᴦ",
}
# The letters of flags, and white ones in black circles and squares, each from A to Z.
_ENCLOSED = {
    chr(first + place): chr(ord("a") + place)
    for first in (0x1F1E6, 0x1F150, 0x1F170)
    for place in range(26)
}
_TABLE = str.maketrans(
    _ENCLOSED | {like: letter for letter, all_ in _LOOKALIKES.items() for like in all_}
)


def pretends_to_be_the_computer(name: str) -> bool:
    """Return whether people could read "computer" in this name, whatever stands in between."""
    # Decomposed, an accent is a character of its own, and falls away with spaces and digits.
    letters = unicodedata.normalize("NFKD", name).translate(_TABLE)
    return COMPUTER in "".join(filter(str.isalpha, letters)).casefold()
