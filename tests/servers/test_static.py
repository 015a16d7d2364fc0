"""Scripts are served without comments, and otherwise unchanged."""

import pytest
from django.conf import settings

from numgames_site.servers.static_storage import without_comments

SCRIPTS = sorted((settings.BASE_DIR / "static" / "js").rglob("*.js"))


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
  /** @type {HTMLElement} */ (find(text)).hidden = true;
}

"""
    assert without_comments(script) == expected


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_line_keeps_its_number_or_is_empty(path):
    script = path.read_text()
    served = without_comments(script)
    pairs = list(zip(script.split("\n"), served.split("\n"), strict=True))
    assert all(after in (before, "") for before, after in pairs)
    lost = {before.strip()[:2] for before, after in pairs if before.strip() and not after}
    assert lost <= {"//", "/*", "* ", "*/", "*"}
