"""Every address gets every kind of rubbish, and answers: no server error, no line in the log."""

import json
import re
from urllib.parse import unquote

import pytest
from django.urls import get_resolver
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.web import api, forms, profile
from tests.faults.addresses import ADDRESSES, CSRF, JOIN, ME, NEW, PARAMETER, Line, Site, form


def test_the_fuzz_knows_every_address_and_every_field():
    routes = {str(pattern.pattern) for pattern in get_resolver().url_patterns}
    assert routes == {route for route in ADDRESSES if "<nowhere>" not in route}
    assert set(forms.NewMatchForm.base_fields) == set(NEW)
    assert set(api.NewMatch.__struct_fields__) < set(ADDRESSES["api/matches/"])
    assert api.Joining.__struct_fields__ == JOIN
    assert profile.Changes.__struct_fields__ == ME


# --- What is sent ---------------------------------------------------------------------------

RUBBISH = [
    *("", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "\x7f", "\u2028", "\ufffe", "\u202e\u2066"),
    *("é\u0301\u0316\u0317", "\u0301" * 60, "\ufdfa" * 19, "\ufdfa" * 300, "İ", "K", "١٢", "１"),
    *("9" * 400, "9" * 4400, "-1", "1e999", "0x10", "NaN", "null", "true", "pass", "1,2,pass,x"),
    *("%", "%zz", "%00", "%ED%A0%80", "%c0%af", "../../etc/passwd", "//example.com", "\\", "{0}"),
    *("x" * 65, "x" * 600, "x" * 5000, "de-" + "x" * 600, "'\"<script>", "\r\n\r\nX: y", "a;b=c"),
]
RIGHT = [
    *("number-tower-duel", "chain-factor", "me", "friend", "lot", "computer", "same", "perfect"),
    *("larger", "1", "0", "192", "any", "de", "en", "Ada", "on"),
]
texts = st.sampled_from(RUBBISH) | st.sampled_from(RIGHT) | st.text(max_size=20)
scalars = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
options = st.dictionaries(
    st.sampled_from(["pool", "opening", "size", "target", "petals", "rng", "self"]) | texts,
    st.integers(0, 30) | scalars,
    max_size=12,
)
# Without line breaks and other characters that would end a header.
raw_values = st.sampled_from(RUBBISH).map(lambda text: re.sub(r"[\0\r\n]", "?", text))
methods = st.sampled_from(
    ["GET", "POST", "PATCH"] * 4 + ["HEAD", "OPTIONS", "PUT", "DELETE", "get", "X-Y"]
)
types = st.sampled_from(
    [
        *("application/json", "application/x-www-form-urlencoded") * 6,
        "multipart/form-data",
        *(
            f"application/json; charset={charset}"
            for charset in ("nonsense", "hex", "utf-7", "\xff")
        ),
        *("application/x-www-form-urlencoded; charset=undefined", "a/b; charset*=nonsense''%ff"),
        *("multipart/form-data; boundary=x", "multipart/form-data; boundary*=hex''x", ";;=", ""),
        *("text/plain; " + "a=b;" * 500, "/" * 2000),
    ]
)
BOUND = b"--x\r\nContent-Disposition: form-data; name="
whole_bodies = st.sampled_from(
    [
        *(b"", b"[" * 60_000, b'{"a":' * 12_000, b'{"name":"' + b"\xef\xb7\xba" * 20_000 + b'"}'),
        *(b'{"game":"chain-factor","options":{"rng":1}}', b'{"options":{"self":1}}', b"\xff\xfe{}"),
        b'{"options":{' + b",".join(b'"%d":1' % n for n in range(5000)) + b"}}",
        *(b"name=%00", b"name=" + b"%EF%B7%BA" * 6000, b"a=1&" * 1100, b"name=%ED%A0%80", b"%&=;"),
        *(
            BOUND + b'"name"\r\n\r\n\0\r\n--x--',
            BOUND * 100,
            BOUND + b'"f"; filename="../x"\r\n\r\n',
        ),
        b"--x\r\nContent-Disposition: form-data; name*=nonsense''x\r\n\r\ny\r\n--x--",
    ]
)


def mostly(usual, *others):
    return st.one_of(*[usual] * 3 * len(others), *others)


def requests(site, route):
    """Return a strategy for requests to an address, most of which are nearly right."""
    names = st.sampled_from(ADDRESSES[route]) if ADDRESSES[route] else texts
    pairs = st.lists(st.tuples(names, texts), max_size=4)
    fields = st.dictionaries(names, st.sampled_from(RIGHT) | texts | options | values, max_size=4)
    bodies = (
        fields.map(lambda fields: json.dumps({"game": "chain-factor", **fields}).encode())
        | pairs.map(lambda pairs: form([("game", "chain-factor"), *pairs]))
        | whole_bodies
    )
    path = st.fixed_dictionaries(
        {
            name: mostly(st.sampled_from(site.right(name)), texts)
            for name in PARAMETER.findall(route)
        }
    ).map(lambda values: site.path(route, **values))
    queries = pairs.map(form) | st.sampled_from([b"", b"a=1&" * 1100, b"%&=&&;"])
    return st.tuples(
        methods,
        mostly(path, path.map(lambda path: path.rstrip("/") or "/"), path.map("{}x".format)),
        queries,
        headers(site),
        bodies,
    )


def headers(site):
    guest = {"Cookie": f"guest={site.token}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
    right = st.sampled_from([{"Authorization": f"Bearer {site.token}"}, guest, {}])
    wrong = st.fixed_dictionaries(
        {},
        optional={
            "Host": raw_values,
            "Authorization": raw_values | raw_values.map("Bearer {}".format),
            "Cookie": raw_values.map("guest={0}; csrftoken={0}; language={0}; theme={0}".format),
            "X-CSRFToken": raw_values,
            "Origin": raw_values,
            "Referer": raw_values,
            "Accept-Language": raw_values | st.just("de," * 500),
            "Accept-Encoding": raw_values | st.just("gzip"),
            "X-Forwarded-For": raw_values.filter(str.isprintable).filter(str.isascii),
            "X-Forwarded-Proto": raw_values.filter(str.isprintable).filter(str.isascii),
            "If-None-Match": raw_values,
            "Range": raw_values,
        },
    )
    return st.builds(
        lambda right, kind, wrong: {**right, "Content-Type": kind, **wrong},
        right,
        types,
        mostly(st.just({}), wrong),
    )


# --- How it is answered ---------------------------------------------------------------------


def check(request, answer):
    """Check that an answer is not an error of ours, and that programs can read a refusal."""
    (method, path, *_), (status, headers, content) = request, answer
    assert status < 500
    if status == 429:
        assert int(headers["Retry-After"]) > 0
    if not unquote(path).startswith("/api/"):
        return
    assert status not in (301, 302)
    if status == 405:
        assert headers["Allow"]
    if status >= 400 and method.upper() != "HEAD":
        assert {"code", "text", "template", "values"} <= set(json.loads(content))


def server_of(request, store):
    return (
        request.getfixturevalue("alone")
        if store == "SQLite"
        else request.getfixturevalue("pair")[0]
    )


@pytest.mark.parametrize("number", [60, pytest.param(1000, marks=pytest.mark.faults_long)])
@pytest.mark.parametrize("store", ["SQLite", "PostgreSQL"])
def test_every_address_answers_rubbish_without_an_error(request, measured, store, number):
    server = server_of(request, store)
    site = Site(server)
    statuses = {}
    with Line(server.port) as line:
        for route in ADDRESSES:

            @settings(
                max_examples=number,
                database=None,
                derandomize=True,
                suppress_health_check=HealthCheck,
            )
            @given(requests(site, route))
            def send(sent):
                if answer := line.ask(*sent):
                    check(sent, answer)
                    statuses[answer[0]] = statuses.get(answer[0], 0) + 1

            send()
    measured["requests by status"] = statuses


def post(path, body, **headers):
    return "POST", path, b"", {"Content-Type": "application/json", **headers}, body


def get(path, query=b"", **headers):
    return "GET", path, query, headers, b""


FORM = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"csrftoken={CSRF}"}
FORM["X-CSRFToken"] = CSRF
MULTI = "multipart/form-data; boundary=x"
FILE = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x--\r\n'
# What once was an error or wrote into the log, with the code or the status it gets now.
ONCE_WRONG = {
    "the option rng": (
        post("/api/matches/", b'{"game":"chain-factor","options":{"rng":1}}'),
        "bad_option",
    ),
    "the option self": (
        post("/api/matches/", b'{"game":"chain-factor","options":{"self":1}}'),
        "bad_option",
    ),
    "a NUL as a name": (post("/m/{invitation}/join/", b"name=%00", **FORM), 400),
    "a long version": (
        get("/api/matches/{finished}/explore/", b"version=" + b"9" * 4400),
        "bad_query",
    ),
    "many parameters": (get("/api/matches/", b"a=1&" * 1100), "too_large"),
    "many fields": (post("/new/", b"a=1&" * 1100, **FORM), 413),
    "an unknown charset": (
        post("/api/matches/", b"{}", **{"Content-Type": "a/b; charset*=nonsense''x"}),
        "malformed",
    ),
    "a charset for bytes": (
        post("/m/{invitation}/join/", FILE, **{**FORM, "Content-Type": f"{MULTI}; charset=hex"}),
        400,
    ),
    "no token in a form": (post("/new/", b"game=chain-factor", **{"Content-Type": ""}), 403),
    "another host": (get("/api/matches/", Host="example.com"), "bad_host"),
    "a host too long for a QR code": (get("/m/{invitation}/", Host="127.0.0.1:" + "1" * 5000), 400),
    "an unknown address": (get("/api/nothing/"), "no_such_address"),
    "no slash": (post("/api/matches", b"{}"), "no_such_address"),
}


@pytest.mark.parametrize("store", ["SQLite", "PostgreSQL"])
@pytest.mark.parametrize(("sent", "expected"), ONCE_WRONG.values(), ids=ONCE_WRONG)
def test_what_once_was_an_error_is_refused(request, store, sent, expected):
    server = server_of(request, store)
    site = Site(server)
    method, path, query, headers, body = sent
    own = {"Authorization": f"Bearer {site.token}", "Cookie": f"guest={site.token}"}
    path = path.format(**site.ids)
    sent = method, path, query, {**own, **headers}, body
    with Line(server.port) as line:
        status, _, content = answer = line.ask(*sent)
    check(sent, answer)
    assert expected in (status, path.startswith("/api/") and json.loads(content)["code"])
