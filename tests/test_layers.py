"""Each room of `games/` imports only from the rooms below it."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent

# From the lowest to the highest. Rooms on one line don't import each other.
LAYERS = (
    ("sentences",),
    ("rules",),
    ("solver",),
    ("pictures", "words"),
    ("catalogue",),
    ("matches",),
    ("guests",),
    ("thinking",),
    ("live",),
    ("web",),
    ("management",),
)
# Modules and folders whose place Django prescribes, and the room each belongs to.
ROOM_OF = {
    "__init__": "sentences",
    "refusals": "sentences",
    "apps": "matches",
    "models": "matches",
    "migrations": "matches",
    "templatetags": "web",
}
LEVEL_OF = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
WITHOUT_DJANGO = ("sentences", "rules", "solver")


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports_of(path: Path) -> set[str]:
    """Return everything a module imports, as full names; for `from a import b` that is `a.b`."""
    package = name_of(path).split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{source}.{alias.name}" for alias in node.names}
    return found


def room_of(name: str) -> str:
    """Return the room of a module such as `games.matches.services`."""
    part = name.split(".")[1] if "." in name else "__init__"
    return ROOM_OF.get(part, part)


def is_allowed(importer: str, imported: str) -> bool:
    package = imported.split(".")[0]
    if package == "django":
        return room_of(importer) not in WITHOUT_DJANGO
    if package != "games":
        return package != "numgames_site"
    here, there = room_of(importer), room_of(imported)
    return here == there or LEVEL_OF[there] < LEVEL_OF[here]


MODULES = sorted((ROOT / "games").rglob("*.py"))


def test_every_module_has_a_room():
    assert {room_of(name_of(path)) for path in MODULES} == set(LEVEL_OF)


def test_no_room_imports_from_a_room_above_it():
    wrong = {
        (name_of(path), imported)
        for path in MODULES
        for imported in imports_of(path)
        if not is_allowed(name_of(path), imported)
    }
    assert wrong == set()


def test_forbidden_imports_are_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    module = tmp_path / "games" / "rules" / "late.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "import django.db\nfrom games import live\nfrom ..web.views import home\n"
        "from numgames_site import settings\nfrom . import options\n"
        "def later():\n    from games.matches.services import join_match\n"
    )
    found = imports_of(module)
    assert {one for one in found if not is_allowed("games.rules.late", one)} == {
        "django.db",
        "games.live",
        "games.web.views.home",
        "numgames_site.settings",
        "games.matches.services.join_match",
    }
    assert "games.rules.options" in found
