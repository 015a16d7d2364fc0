"""A page filled into its outline is what the template would have rendered."""

from itertools import product

import pytest
from django.template import loader
from django.utils.safestring import mark_safe
from django.utils.translation import override

from games.models import Match
from games.web import outlines
from games.web.views import Shown, all_games

pytestmark = pytest.mark.usefixtures("collected_static")

NASTY = """<b>Ada</b> & "Bo" 'gapX%7B{{ x }}"""
NO_GAPS = {"link": "", "picture": ""}
GAPS = {
    "match_id": "abcd2345",
    "link": "http://[::1]:8000/m/abcd2345/?a=1&b=<2>",
    "picture": "http://localhost/m/abcd2345/7.png?language=de",
    "qr_code": mark_safe("<svg></svg>"),
    "inviter": NASTY,
    "inviter_shown": mark_safe("<span>Ada</span>"),
    "chosen_name": NASTY,
    "generated_name": "Keen Otter",
    "name_1": NASTY,
    "name_2": "Zoë",
    "snapshot": outlines.as_script({"name": "</script><!--&"}, "snapshot"),
}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("status", Match.Status.values)
def test_a_match_page_from_its_outline_is_the_rendered_template(rf, status, language):
    request = rf.get("/")
    with override(language):
        flags_and_paces = product(*[(False, True)] * 5, ("", "now", "no-hurry"))
        for *flags, pace in flags_and_paces:
            shown = Shown("chain-factor", status, *flags, pace)
            page = outlines.page(request, "match.html", Shown.context, shown, gaps=GAPS)
            context = {**shown.context(), **GAPS, "csrf_token": "TOKEN", "theme": ""}
            expected = loader.render_to_string("match.html", context)
            assert bare(page.content.decode()) == bare(expected)


def bare(page):
    """Return a page without tokens and indentation."""
    start = 'name="csrfmiddlewaretoken" value="'
    first, *rest = page.split(start)
    whole = first + "".join(start + part.partition('"')[2] for part in rest)
    return outlines.INDENTATION.sub("\n", whole)


def test_only_a_page_with_a_form_sets_the_cookie(rf):
    for template, has_form in (("home.html", True), ("404.html", False)):
        request = rf.get("/")
        page = outlines.page(request, template, all_games, gaps=NO_GAPS)
        assert ("CSRF_COOKIE" in request.META) is has_form
        assert (b"csrfmiddlewaretoken" in page.content) is has_form


@pytest.mark.parametrize(("cookies", "shown"), [({}, ""), ({"guest": "x"}, "yes")])
def test_a_page_says_whether_the_browser_has_a_guest(rf, cookies, shown):
    request = rf.get("/")
    request.COOKIES.update(cookies)
    for template in ("home.html", "404.html"):
        page = outlines.page(request, template, all_games, gaps=NO_GAPS)
        assert f'data-guest="{shown}"' in page.content.decode()
    assert b'data-guest=""' in outlines.page(None, "500.html").content


def test_data_for_scripts_cannot_end_the_script():
    written = outlines.as_script({"name": "</script><!--&"}, "x")
    assert written == (
        '<script id="x" type="application/json">'
        '{"name":"\\u003C/script\\u003E\\u003C!--\\u0026"}</script>'
    )
