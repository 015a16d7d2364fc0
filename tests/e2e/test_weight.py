"""Pages are light: all of a page's scripts and styles together, uncompressed."""

import pytest

from tests.live.client import new_pair

LIMIT = 80_000


@pytest.mark.parametrize("page", ["lobby", "match"])
def test_scripts_and_styles_of_a_page_stay_under_the_limit(page, people, server):
    path = "/" if page == "lobby" else f"/m/{new_pair(server)[0]}/"
    person, answers = people(), []
    person.page.on("response", lambda answer: answers.append(answer))
    person.visit(path)
    person.page.wait_for_load_state("networkidle")
    sizes = {
        answer.url.rsplit("/", 1)[1]: len(answer.body())
        for answer in answers
        if answer.request.resource_type in ("script", "stylesheet")
    }
    assert any(name.endswith(".js") for name in sizes)
    assert any(name.endswith(".css") for name in sizes)
    assert sum(sizes.values()) < LIMIT, sizes


def test_pages_ask_nobody_else_for_anything(people, server):
    person, asked = people(), []
    person.context.on("request", lambda request: asked.append(request.url))
    person.create("number-tower-duel")
    person.visit("/rules/number-tower-duel/")
    assert [url for url in asked if not url.startswith((server.http, "data:"))] == []
