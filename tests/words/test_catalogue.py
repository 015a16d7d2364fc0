"""The German catalogue: complete, up to date with the sources, and compiled."""

import os
import re
import shutil

import pytest
from django.core.management import call_command

from games.words.dictionaries import DEVICES, SOLVER, USUAL, dictionaries, templates_in
from games.words.dictionaries import FOLDER as LANGUAGES
from tests.words.german import DOMAINS, FOLDER, PLACEHOLDER, compiled, entries

TEMPLATES = templates_in([*USUAL, *SOLVER, *DEVICES, "games.catalogue"])


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_text_has_a_translation_and_none_is_fuzzy(domain):
    assert len(entries(domain)) > 100
    assert [text for _, text, meaning in entries(domain) if not meaning.strip()] == []
    assert [text for flags, text, _ in entries(domain) if "fuzzy" in flags] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_compiled_catalogue_matches_its_source(domain):
    assert compiled(domain) == {text: meaning for _, text, meaning in entries(domain)}
    assert (FOLDER / f"{domain}.mo").exists()


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_translation_has_the_same_placeholders_and_no_exclamation_marks(domain):
    for _, text, meaning in entries(domain):
        assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(meaning)), text
        assert "!" not in meaning


def test_the_catalogue_is_up_to_date_with_the_sources():
    if shutil.which("xgettext") is None:
        message = "GNU gettext is not installed, so the catalogue is not compared with the sources."
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    call_command("messages", check=True)


def test_every_template_of_the_server_is_in_the_catalogue():
    assert len(TEMPLATES) > 100
    # Templates that contain only values need no translation.
    spoken = {text for text in TEMPLATES if re.search("[a-z]", PLACEHOLDER.sub("", text))}
    assert spoken - set(compiled("django")) == set()


def test_the_scripts_dictionaries_are_up_to_date():
    """`make messages` writes them."""
    written = {path.name: path.read_text() for path in LANGUAGES.iterdir()}
    assert written == dictionaries("de")
