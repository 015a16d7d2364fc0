"""Pages answered in the event loop are what Django would have answered."""

import asyncio
import gzip
import re
import threading

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.db import OperationalError
from django.http import HttpResponse

from games.matches import identity, services
from games.web import in_loop, outlines
from games.web.in_loop import Plan, plan_for
from numgames_site.pages import PagesHandler

pytestmark = pytest.mark.usefixtures("collected_static", "closed_connections")

TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w{64}')
NEW_SECRET = re.compile(rb"(?<=csrftoken=)\w{32}")
DATE = re.compile(rb"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")


class Django(ASGIHandler):
    """Django's own way, in threads, with our requests."""

    create_request = PagesHandler.create_request


def scope_of(path, method="GET", host="localhost", **headers):
    path, _, query = path.partition("?")
    sent = {"host": host, **headers}
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode("latin1"),
        "client": ("127.0.0.1", 5000),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in sent.items()
        ],
    }


async def answer(handler, scope, body=b""):
    """Return what a handler sends: the status, the headers and the body."""
    sent = []
    received = [{"type": "http.request", "body": body}]

    async def receive():
        return received.pop() if received else await asyncio.Future()

    async def send(message):
        sent.append(message)

    await handler(dict(scope), receive, send)
    return sent[0]["status"], sent[0]["headers"], b"".join(one["body"] for one in sent[1:])


def comparable(answered):
    """Replace what is random or depends on the time."""
    status, headers, body = answered
    is_compressed = (b"Content-Encoding", b"gzip") in headers
    if is_compressed:
        body = gzip.decompress(body)
    headers = [
        (name, DATE.sub(b"now", NEW_SECRET.sub(b"new", value)))
        for name, value in headers
        # Compressed answers have a random length, against attacks on the token.
        if not (is_compressed and name == b"Content-Length")
    ]
    return status, headers, TOKEN.sub(b"token", body)


@pytest.fixture
def match():
    one = services.new_guest()
    match, _ = services.create_match(guest=one, game="chain-factor", starts="me")
    return match, one


PATHS = [
    *("/", "/watch/", "/rules/chain-factor/", "/rules/nothing/", "/offline/"),
    *("/manifest.webmanifest", "/service-worker.js", "/m/MATCH/", "/m/22222222/"),
    *("/m/MATCH/review/", "/api/matches/", "/api/matches/?live=1", "/api/matches/MATCH/"),
    *("/api/matches/22222222/", "/watch", "/nothing/", "/?a=%ff", "/?a=\xff"),
    *("/me/devices/", "/me/arrive/"),
]
REQUESTS = {
    "plain": {},
    "German": {"accept_language": "de-AT,de;q=0.9"},
    "unknown language": {"accept_language": "x" * 600},
    "cookies": {"cookie": f"theme=dark; language=de; csrftoken={'s' * 32}; guest=GUEST"},
    "odd cookies": {"cookie": 'theme="><b>; language=de-at; csrftoken=x; guest=x'},
    "gzip": {"accept_encoding": "br, gzip"},
    "head": {"method": "HEAD"},
    "post": {"method": "POST"},
    "options": {"method": "OPTIONS"},
    "foreign host": {"host": "evil.example"},
    "port": {"host": "localhost:1234"},
    "condition": {"if_none_match": "*", "if_modified_since": "Sat, 29 Oct 2050 19:43:31 GMT"},
    "https": {"x_forwarded_proto": "https", "origin": "https://evil.example"},
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", REQUESTS)
async def test_every_answer_has_the_status_headers_and_body_that_django_gives_it(kind, match):
    row, guest = match
    headers = {
        name: value.replace("GUEST", identity.token_for(guest.pk))
        for name, value in REQUESTS[kind].items()
    }
    handler, django = PagesHandler(), Django()
    for path in PATHS:
        scope = scope_of(path.replace("MATCH", row.pk), **headers)
        expected = comparable(await answer(django, scope))
        # The first of its kind may be rendered in a thread, the second is not.
        assert comparable(await answer(handler, scope)) == expected, path
        assert comparable(await answer(handler, scope)) == expected, path


@pytest.mark.parametrize("path", ["/", "/api/matches/?live=1"])
async def test_without_https_a_request_is_redirected(path, settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for headers in ({}, {"x_forwarded_proto": "https"}):
        scope = scope_of(path, **headers)
        expected = comparable(await answer(Django(), scope))
        assert expected[0] == (200 if headers else 301)
        assert comparable(await answer(PagesHandler(), scope)) == expected


async def test_a_page_is_rendered_once_in_a_thread_and_then_answered_in_the_loop(monkeypatch):
    monkeypatch.setattr(outlines, "kept", outlines.Kept())
    rendered = []
    render = outlines.loader.render_to_string

    def recorded(*args):
        rendered.append(threading.current_thread())
        return render(*args)

    monkeypatch.setattr(outlines.loader, "render_to_string", recorded)
    handler = PagesHandler()
    for _ in range(3):
        assert (await answer(handler, scope_of("/")))[0] == 200
    (thread,) = rendered
    assert thread is not threading.current_thread()


def test_pages_that_strangers_ask_for_are_kept_up_to_a_bound():
    kept = outlines.Kept()
    for number in range(2 * outlines.MOST_OUTLINES):
        kept.add(number, outlines.Outline(str(number)))
    assert len(kept._outlines) == outlines.MOST_OUTLINES
    assert kept.get(0) is None


async def test_what_strangers_send_does_not_make_more_outlines(monkeypatch):
    monkeypatch.setattr(outlines, "kept", outlines.Kept())
    handler = PagesHandler()
    for number in range(20):
        headers = {
            "accept_language": f"en;q=0.{number}",
            "cookie": f"theme=x{number}; language=x{number}",
        }
        await answer(handler, scope_of(f"/?{number}", host=f"localhost:{number}", **headers))
    assert len(outlines.kept._outlines) == 1


def test_only_safe_methods_are_answered_in_the_loop():
    assert plan_for("GET", "/api/matches/") is not None
    assert plan_for("HEAD", "/api/matches/") is not None
    assert plan_for("POST", "/api/matches/") is None
    assert plan_for("GET", "/api/guests/") is None
    assert plan_for("GET", "/picture.png") is None


async def answer_after(first, scope, receive):
    sent = []

    async def send(message):
        sent.append(message)

    await PagesHandler().answer_in_loop(Plan(first, {}), scope, receive, send)
    return sent


async def test_nothing_is_read_for_a_foreign_host():
    async def first(request):
        raise AssertionError("not for us")

    sent = await answer_after(first, scope_of("/api/matches/", host="evil.example"), None)
    assert sent[0]["status"] == 400


async def test_when_the_client_goes_nobody_waits_for_its_answer():
    began, ended = asyncio.Event(), asyncio.Event()

    async def first(request):
        began.set()
        try:
            await asyncio.Future()
        finally:
            ended.set()

    async def receive():
        await began.wait()
        return {"type": "http.disconnect"}

    async with asyncio.timeout(10):
        assert await answer_after(first, scope_of("/api/matches/"), receive) == []
        await ended.wait()


async def test_reading_that_takes_too_long_counts_as_the_database_being_away(monkeypatch, rf):
    monkeypatch.setattr(in_loop, "LONGEST_READ", 0.01)
    go_on = threading.Event()
    request = rf.get("/")
    await Plan(lambda request: go_on.wait(10), {}).read(request)
    go_on.set()
    with pytest.raises(OperationalError):
        request.read_first.result()


async def test_an_error_while_reading_is_raised_in_the_view(rf):
    def first(request):
        raise KeyError("lost")

    view = in_loop.in_loop(first)(lambda request, found: HttpResponse(found))
    request = rf.get("/")
    await Plan(first, {}).read(request)
    with pytest.raises(KeyError):
        view(request)
