"""The site without the fast path or the limits: off, or a server's internals have changed."""

import logging
import re
from importlib.metadata import version
from pathlib import Path
from random import Random
from types import FunctionType

import pytest

from games.live.frames import check
from tests.live.test_matches import random_match
from tests.serving import ROOT, serving

USES = {"frames": (check.INTERNALS, check.use_frames), "bounds": (check.BOUNDS, check.use_bounds)}
EVERY = [
    pytest.param(server, internal, use, id=f"{use}: {internal}")
    for use, (table, _) in USES.items()
    for server, internals in table.items()
    for internal in internals
]


@pytest.mark.parametrize("server", check.INTERNALS)
def test_the_versions_we_use_have_every_internal(server, caplog):
    assert check.missing(server) == []
    assert check.missing(server, check.BOUNDS) == []
    assert check.use_frames(server)
    assert check.use_bounds(server)
    assert caplog.text == ""


@pytest.mark.parametrize(("server", "internal", "use"), EVERY)
def test_a_missing_internal_is_detected(server, internal, use, monkeypatch, caplog):
    table, can_use = USES[use]
    take_away(internal, monkeypatch)
    assert str(internal) in check.missing(server, table)
    assert not can_use(server)
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert str(internal) in record.getMessage()


def take_away(internal, monkeypatch):
    """Remove an attribute from its class, and every method that would set it or use the key."""
    module, _, name = internal.owner.partition(":")
    owner = getattr(__import__(module, fromlist=[name]), name)
    for each in owner.__mro__:
        for attribute, value in list(vars(each).items()):
            if attribute == internal.name and not internal.is_key:
                monkeypatch.delattr(each, attribute)
            elif isinstance(value, FunctionType) and mentions(value, internal):
                monkeypatch.setattr(each, attribute, None)


def mentions(method, internal):
    names = check.constants(method) if internal.is_key else method.__code__.co_names
    return internal.name in names


@pytest.mark.parametrize("owner", ["no.such.module:Class", "games.live.frames:NoSuchClass"])
def test_a_missing_class_is_detected(owner):
    assert not check.Internal(owner, "attribute", "a test").is_there


@pytest.mark.parametrize("server", check.INTERNALS)
def test_turning_the_fast_path_off_logs_no_warning(server, settings, caplog):
    settings.FRAMES = False
    assert not check.use_frames(server)
    assert caplog.text == ""


# Attributes of each server that an upgrade might rename, with the module that has it. The first is
# for the fast path, the second for the limits.
RENAMED = [
    ("daphne", "twisted.internet.abstract:_tempDataLen:_waitingLen"),
    ("daphne", "twisted.web.http:_path:_uri"),
    ("uvicorn", "uvicorn.protocols.websockets.websockets_sansio_impl:writable:can_write"),
    ("uvicorn", "uvicorn.protocols.http.httptools_impl:response_complete:is_complete"),
]


@pytest.mark.parametrize(("server", "renamed"), RENAMED)
async def test_a_match_can_be_played_after_an_upgrade_that_renames_an_internal(
    server, renamed, tmp_path
):
    environment = {
        "NUMGAMES_SERVER": server,
        "NUMGAMES_LIMITS": "off",
        "PYTHONPATH": str(Path(__file__).parent / "renamed"),
        "RENAMED": renamed,
    }
    with serving(tmp_path, **environment) as running:
        running.expected = ["docs/frames.md"]
        await random_match(running, "number-tower-duel", {}, Random(1))
    [line] = running.log.read_text().splitlines()
    assert "WARNING" in line
    assert renamed.split(":")[1] in line


@pytest.mark.parametrize("server", check.INTERNALS)
async def test_a_match_can_be_played_with_the_fast_path_off_and_without_a_warning(server, tmp_path):
    environment = {"NUMGAMES_SERVER": server, "NUMGAMES_LIMITS": "off", "NUMGAMES_FRAMES": "off"}
    with serving(tmp_path, **environment) as running:
        await random_match(running, "number-tower-duel", {}, Random(1))
    assert running.log.read_text() == ""


PAGE = (ROOT / "docs" / "frames.md").read_text()


@pytest.mark.parametrize(("server", "internal", "use"), EVERY)
def test_every_internal_is_in_the_documentation(server, internal, use):
    row = f"| `{internal.name}` |" if not internal.is_key else f'| `["{internal.name}"]` |'
    assert row in PAGE


def test_the_documentation_names_the_installed_versions():
    named = dict(re.findall(r"^### (\w+) ([\d.]+)", PAGE, re.MULTILINE))
    assert set(named) == {"Twisted", "autobahn", "daphne", "uvicorn", "websockets"}
    assert named == {package: version(package) for package in named}
