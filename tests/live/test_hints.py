"""A request for a hint is always answered, whatever happens to the solver's processes."""

import asyncio

import pytest

from games.live import protocol
from games.live.process import Process
from games.matches import database, limits, selectors, services
from games.models import Guest
from games.thinking import pool
from tests.live.in_process import FakeClient, settled
from tests.thinking.troubles import die, fail, take_long

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


@pytest.fixture(autouse=True)
def _ended_pool():
    yield
    pool.end()


def new_match_of_one(**settings):
    guest = Guest.objects.create(name="Ada")
    match, _ = services.create_match(guest=guest, game="number-tower-duel", **settings)
    return match, guest


async def answer_to_a_hint(longest_thought=20.0):
    match, guest = await database.write(new_match_of_one, same_device=True)
    process, client = Process(), FakeClient(guest)
    live = await process.hub.enter(match.pk, client.socket)
    process.thinking.longest_thought = longest_thought
    async with asyncio.timeout(30):
        await process.hints.give(live, client.socket, protocol.Hint(version=0, id="h"))
    await client.socket.sent()
    (answer,) = client.of_type("hint", "rejected")
    assert answer["id"] == "h"
    assert answer["text"].endswith(".")
    return answer.get("code", "hint")


async def test_a_request_gets_a_hint():
    assert await answer_to_a_hint() == "hint"


async def test_the_request_is_answered_if_the_pool_dies(monkeypatch):
    monkeypatch.setattr(pool, "hint", die)
    assert await answer_to_a_hint() == "busy"


async def test_the_request_is_answered_if_the_hint_takes_too_long(monkeypatch):
    monkeypatch.setattr(pool, "hint", take_long)
    assert await answer_to_a_hint(longest_thought=0.2) == "busy"


async def test_the_request_is_answered_if_the_solver_fails(monkeypatch, caplog):
    monkeypatch.setattr(pool, "hint", fail)
    assert await answer_to_a_hint() == "server_error"
    assert "ZeroDivisionError" in caplog.text


async def test_a_guest_who_asks_too_often_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "THINKING_BY_GUEST", limits.Limit(rate=0.1, burst=0))
    assert await answer_to_a_hint() == "too_many"


async def test_when_a_socket_is_closed_its_questions_are_dropped(monkeypatch):
    monkeypatch.setattr(pool, "hint", take_long)
    match, guest = await database.write(new_match_of_one, same_device=True)
    process, client = Process(), FakeClient(guest)
    live = await process.hub.enter(match.pk, client.socket)
    for number in range(150):
        process.hints.ask(live, client.socket, protocol.Hint(version=0, id=f"h{number}"))
    await asyncio.sleep(0)
    assert len(process.thinking._thoughts) == 1
    process.hints.leave(client.socket)
    async with asyncio.timeout(10):
        await process.tasks.finished()
    assert not process.thinking._thoughts
    assert not process.hints._asked
    assert not client.of_type("hint", "rejected")


async def test_if_the_computer_cannot_move_it_logs_one_line_and_moves_later(
    monkeypatch, caplog, settings
):
    settings.COMPUTER_PAUSE = (0, 0)
    match, guest = await database.write(new_match_of_one, starts="friend", computer="perfect")
    process, client = Process(), FakeClient(guest)
    with monkeypatch.context() as broken:
        broken.setattr(pool, "choose", die)
        live = await process.hub.enter(match.pk, client.socket)
        await process.tasks.finished()
    (line,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert "could not move" in line.getMessage()
    assert line.exc_info is None
    await process.computer.look_for_overdue()
    await process.tasks.finished()
    await settled(process.writer, client)
    assert live.loaded.version == 1
    stored = await database.read(selectors.stored_match, match.pk)
    assert len(stored.actions) == 1
