"""Everything that is installed is pinned to a version and its hashes."""

from collections.abc import Iterator
from importlib.metadata import distributions
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
# Each file contains the one before it.
FILES = ["requirements", "requirements-uvicorn", "requirements-dev"]
# A new virtual environment has some of these already, and no package here needs them to run.
INSTALLERS = {"pip", "setuptools", "wheel"}


@pytest.mark.parametrize("file", FILES)
def test_every_requirement_has_one_version_and_hashes(file):
    for requirement, hashes in compiled(file):
        assert [part.operator for part in requirement.specifier] == ["=="], requirement
        assert hashes, requirement
        assert all(option.startswith("--hash=sha256:") for option in hashes), requirement


@pytest.mark.parametrize("file", FILES)
def test_direct_dependencies_have_the_version_we_chose(file):
    direct = {named(requirement) for requirement in listed(f"{file}.in")}
    assert direct
    assert direct <= pins(file), "run `make requirements`"


@pytest.mark.parametrize(("smaller", "larger"), [*pairwise(FILES)])
def test_the_site_and_the_tests_use_the_same_versions(smaller, larger):
    missing = set(compiled(smaller)) - set(compiled(larger))
    assert not missing, "run `make requirements`"


def test_everything_installed_is_pinned_with_a_hash():
    installed = {
        (canonicalize_name(distribution.name), f"=={distribution.version}")
        for distribution in distributions()
    }
    others = {(name, version) for name, version in installed if name not in INSTALLERS}
    assert others
    unpinned = others - pins("requirements-dev", here=True)
    assert not unpinned, "pin it, or delete .venv if an earlier version left it there"


def pins(file: str, *, here: bool = False) -> set[tuple[str, str]]:
    """Return names and versions in a compiled file: all, or those for this Python and platform."""
    return {
        named(requirement)
        for requirement, hashes in compiled(file)
        if hashes and not (here and requirement.marker and not requirement.marker.evaluate())
    }


def named(requirement: Requirement) -> tuple[str, str]:
    return canonicalize_name(requirement.name), str(requirement.specifier)


def compiled(file: str) -> Iterator[tuple[Requirement, tuple[str, ...]]]:
    """Yield the requirements in a compiled file, each with the options after it."""
    for line in lines(f"{file}.txt"):
        requirement, *hashes = line.split(" --")
        yield Requirement(requirement), tuple(f"--{option.strip()}" for option in hashes)


def listed(file: str) -> Iterator[Requirement]:
    """Yield the requirements in a file we write ourselves, and in the files it includes."""
    for line in lines(file):
        if line.startswith("-r "):
            yield from listed(line.removeprefix("-r "))
        else:
            yield Requirement(line)


def lines(file: str) -> Iterator[str]:
    text = (ROOT / file).read_text().replace("\\\n", "")
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line
