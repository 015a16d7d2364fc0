"""Every registered game is complete. If a file is missing, the failing test names it."""

import re
from pathlib import Path

import pytest

from games.catalogue import KITS, kit_of
from games.rules import GAMES
from tests.games import facts_of, folder_of

ROOT = Path(__file__).parent.parent
TOKENS = (ROOT / "static" / "tokens.css").read_text()

FILES = [
    "templates/games/{slug}/summary.html",
    "templates/games/{slug}/how_to_play.html",
    "templates/games/{slug}/rules.html",
    "templates/games/{slug}/picture.svg",
    "static/games/{slug}/board.js",
    "static/games/{slug}/board.css",
    "static/games/{slug}/picture.css",
    "tests/games/{package}/__init__.py",
    "tests/games/{package}/playthrough.json",
    "tests/games/{package}/transcript.txt",
]


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_all_its_files(slug):
    names = [one.format(slug=slug, package=folder_of(slug).name) for one in FILES]
    missing = [name for name in names if not (ROOT / name).exists()]
    assert missing == [], f"{slug} lacks {', '.join(missing)}: see docs/adding-a-game.md."


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("templates/games", set(GAMES)),
        ("static/games", set(GAMES)),
        ("tests/games", {folder_of(slug).name for slug in GAMES}),
    ],
)
def test_every_folder_belongs_to_a_registered_game(folder, names):
    there = {
        path.name
        for path in (ROOT / folder).iterdir()
        if path.is_dir() and path.name != "__pycache__"
    }
    assert there == names, f"{folder} and GAMES differ: {', '.join(there ^ names)}."


def test_every_game_is_registered_under_its_slug():
    assert all(game.slug == slug for slug, game in GAMES.items())
    assert {
        "number-blossoms",
        "number-tower-duel",
        "chain-factor",
        "number-collapse",
        "number-eliminator",
    } <= set(GAMES)


def test_kits_are_in_the_same_order_as_games():
    assert list(KITS) == list(GAMES)
    assert all(kit.game is GAMES[slug] for slug, kit in KITS.items())


def test_for_a_game_without_a_kit_the_error_names_the_missing_file():
    with pytest.raises(LookupError, match=r"number-chess .* games/catalogue/number_chess\.py"):
        kit_of("number-chess")
    # A module of the catalogue that isn't a game.
    with pytest.raises(LookupError, match=r"games\.catalogue\.terminal has no KIT"):
        kit_of("terminal")


@pytest.mark.parametrize("kit", KITS.values(), ids=lambda kit: kit.slug)
def test_every_kit_has_what_the_pages_need(kit):
    assert f".accent-{kit.accent} {{" in TOKENS, f"static/tokens.css has no {kit.accent}."
    assert [size.slug for size in kit.sizes][:1] == ["classic"]
    assert kit.prompt.endswith(": ")


def test_no_two_games_have_the_same_accent():
    assert len({kit.accent for kit in KITS.values()}) == len(KITS)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("name", ["OPTIONS", "random_options", "referee", "MOVING"])
def test_every_game_has_what_the_tests_need(slug, name):
    facts = facts_of(slug)
    assert hasattr(facts, name), f"{facts.__name__} lacks {name}: see docs/adding-a-game.md."


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("name", ["createBoard", "nextMove", "told"])
def test_every_board_exports(slug, name):
    source = (ROOT / "static" / KITS[slug].script).read_text()
    assert re.search(rf"^export (function|const) {name}\b", source, re.M), f"board.js lacks {name}."


@pytest.mark.parametrize("slug", GAMES)
def test_every_rules_page_fills_its_blocks(slug):
    template = (ROOT / "templates" / KITS[slug].rules).read_text()
    for block in ("tips", "moral"):
        assert len(template.split(f"{{% block {block} %}}")[1].split("{% endblock %}")[0]) > 20


# Rules may be grouped by family, and a translated text may name a game.
MAY_NAME_GAMES = ("games/rules/", "games/migrations/", "static/js/languages/")


def test_games_are_named_only_in_their_own_files():
    """A new game must not need changes in other files."""
    naming = []
    for folder in ("games", "numgames_site", "static", "templates"):
        for path in (ROOT / folder).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in (".py", ".js", ".css", ".html", ".svg"):
                continue
            if name.startswith(MAY_NAME_GAMES):
                continue
            text = path.read_text()
            for slug in GAMES:
                own = slug in name or slug.replace("-", "_") in name
                if not own and slug in text:
                    naming.append(f"{name} names {slug}")
    assert naming == []
