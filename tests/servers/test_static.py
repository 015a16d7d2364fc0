"""Scripts and styles are served without comments and indentation, and otherwise unchanged."""

import re

import pytest
from django.conf import settings

from numgames_site.servers.static_storage import compact_script, compact_style

STATIC = settings.BASE_DIR / "static"
SCRIPTS = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))


def test_comments_are_stripped_and_code_is_kept():
    script = """// What it is for.
const here = "https://example.org"; // beside code
/**
 * @param {string} text
 */
function say(text) {
  /** @type {HTMLElement} */ (find(text)).hidden = true;
}
/** One line. */
"""
    expected = """
const here = "https://example.org"; // beside code



function say(text) {
(find(text)).hidden = true;
}

"""
    assert compact_script(script) == expected


def test_a_style_sheet_keeps_its_rules():
    style = """/* What it is for,
   in two lines. */
.here {
  color: red; /* beside a rule */
}
"""
    assert compact_style(style) == "\n\n.here {\ncolor: red; \n}\n"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_line_keeps_its_number_or_is_empty(path):
    script = path.read_text()
    served = compact_script(script)
    pairs = list(zip(script.split("\n"), served.split("\n"), strict=True))
    types = re.compile(r"/\*\* @type \{.*?\} \*/ ?")
    assert all(after in (types.sub("", before).lstrip(), "") for before, after in pairs)
    lost = {before.strip()[:2] for before, after in pairs if before.strip() and not after}
    assert lost <= {"//", "/*", "* ", "*/", "*"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_of_a_script_goes_over_several_lines(path):
    """Its indentation would be lost."""
    for line in compact_script(path.read_text()).split("\n"):
        assert line.count("`") % 2 == 0
        assert not line.endswith("\\")


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_a_style_sheet_loses_only_comments_and_spaces(path):
    style = path.read_text()
    served = compact_style(style)
    assert served.count("\n") == style.count("\n")
    assert "/*" not in served
    assert served.split() == re.sub(r"/\*.*?\*/", " ", style, flags=re.DOTALL).split()
