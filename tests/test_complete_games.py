"""A registered game is complete: every step of docs/adding-a-game.md is done for it."""

from pathlib import Path

import pytest

from games.catalogue.examples import EXAMPLES
from games.catalogue.terminal import PROMPTS, SHOWS
from games.pictures.palette import ACCENTS
from games.pictures.positions import DRAWINGS
from games.rules import GAMES
from games.web.forms import LARGER
from tests.golden import FOLDER
from tests.rules.test_outcomes import REFEREES
from tests.rules.test_properties import OPTIONS

TEMPLATES = Path(__file__).parent.parent / "templates"
STATIC = Path(__file__).parent.parent / "static"

PARTS = {
    "step 3: SHOWS in games/catalogue/terminal.py": set(SHOWS),
    "step 3: PROMPTS in games/catalogue/terminal.py": set(PROMPTS),
    "step 3: templates/games": {path.name for path in (TEMPLATES / "games").iterdir()},
    "step 3: static/games": {path.name for path in (STATIC / "games").iterdir()},
    "step 3: static/tokens.css": set(ACCENTS),
    "step 3: DRAWINGS in games/pictures/positions.py": set(DRAWINGS),
    "step 3: LARGER in games/web/forms.py": set(LARGER),
    "step 4: EXAMPLES in games/catalogue/examples.py": set(EXAMPLES),
    "step 4: make golden, the rules": {path.stem for path in FOLDER.glob("*-*.json")},
    "step 4: make golden, the terminal": {path.stem for path in FOLDER.glob("*.txt")},
    "step 5: OPTIONS in tests/rules/test_properties.py": set(OPTIONS),
    "step 5: REFEREES in tests/rules/test_outcomes.py": set(REFEREES),
}


@pytest.mark.parametrize("part", PARTS)
def test_every_game_has(part):
    assert PARTS[part] == set(GAMES), part


@pytest.mark.parametrize("module", ["parts/boards.js", "words/say.js"])
def test_every_game_has_its_place_in_the_scripts(module):
    text = (STATIC / "js" / module).read_text()
    assert all(f'"{slug}":' in text for slug in GAMES), f"step 3: static/js/{module}"


def test_every_game_is_registered_under_its_slug():
    assert all(game.slug == slug for slug, game in GAMES.items())
    assert {
        "number-blossoms",
        "number-tower-duel",
        "chain-factor",
        "number-collapse",
        "number-eliminator",
    } <= set(GAMES)


@pytest.mark.parametrize("slug", GAMES)
def test_every_rules_page_fills_its_blocks(slug):
    template = (TEMPLATES / "games" / slug / "rules.html").read_text()
    for block in ("tips", "moral"):
        assert len(template.split(f"{{% block {block} %}}")[1].split("{% endblock %}")[0]) > 20
