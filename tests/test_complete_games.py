"""A registered game is complete: every step of docs/adding-a-game.md is done for it."""

from pathlib import Path

import pytest

from games.examples import EXAMPLES
from games.rules import GAMES
from games.terminal import PROMPTS, SHOWS
from tests.golden import FOLDER
from tests.rules.test_outcomes import REFEREES
from tests.rules.test_properties import OPTIONS

TEMPLATES = Path(__file__).parent.parent / "templates"

PARTS = {
    "step 3: SHOWS in games/terminal.py": set(SHOWS),
    "step 3: PROMPTS in games/terminal.py": set(PROMPTS),
    "step 3: templates/summaries": {path.stem for path in (TEMPLATES / "summaries").iterdir()},
    "step 3: templates/rules": {path.stem for path in (TEMPLATES / "rules").iterdir()} - {"base"},
    "step 4: EXAMPLES in games/examples.py": set(EXAMPLES),
    "step 4: make golden, the rules": {path.stem for path in FOLDER.glob("*-*.json")},
    "step 4: make golden, the terminal": {path.stem for path in FOLDER.glob("*.txt")},
    "step 5: OPTIONS in tests/rules/test_properties.py": set(OPTIONS),
    "step 5: REFEREES in tests/rules/test_outcomes.py": set(REFEREES),
}


@pytest.mark.parametrize("part", PARTS)
def test_every_game_has(part):
    assert PARTS[part] == set(GAMES), part


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
def test_every_rules_page_fills_its_three_blocks(slug):
    template = (TEMPLATES / "rules" / f"{slug}.html").read_text()
    for block in ("rules", "tips", "moral"):
        assert len(template.split(f"{{% block {block} %}}")[1].split("{% endblock %}")[0]) > 20
