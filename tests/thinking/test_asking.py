"""A question to the solver always ends in an answer or a refusal, and nobody is held up by others.

Some workers wait for a file instead of thinking, so that the tests decide when they are done.
"""

import asyncio
import os
import time

import pytest

from games.refusals import Refusal
from games.thinking import asking
from games.thinking.asking import Asker, Thinking
from games.thinking.pool import Pool
from games.thinking.queue import Queue
from tests.thinking.troubles import wait_for_file, write_down

ADA, BO = Asker(1, "192.0.2.1"), Asker(2, "192.0.2.2")


@pytest.fixture
def thinking(monkeypatch):
    monkeypatch.setattr(asking, "FOR_COMPUTERS", 1)
    monkeypatch.setattr(asking, "FOR_PEOPLE", 1)
    thinking = Thinking()
    yield thinking
    thinking.end()


@pytest.fixture
def held(tmp_path):
    """A file for which a worker waits. Creating it lets the worker go on."""
    return tmp_path / "go"


def ask(thinking, asker, function, *args, key=None):
    """Start asking; the key is made of the question unless there is another."""
    key = key or (function, *args)
    return asyncio.create_task(thinking.ask(asker, key, lambda run: run(function, *args)))


async def code_of(asked):
    with pytest.raises(Refusal) as caught:
        await asked
    assert caught.value.retry_after is None or caught.value.retry_after > 0
    return caught.value.code, caught.value.status


async def begun(held):
    """Wait until a worker has begun to wait for this file."""
    async with asyncio.timeout(20):
        while not held.with_suffix(".begun").exists():
            await asyncio.sleep(0.01)


async def test_a_question_is_answered(thinking):
    assert await ask(thinking, ADA, max, 1, 2) == 2


async def test_if_a_worker_dies_its_question_is_refused_and_the_next_is_answered(thinking):
    assert await code_of(ask(thinking, ADA, os._exit, 1)) == ("busy", 503)
    assert await ask(thinking, ADA, max, 1, 2) == 2


async def test_a_question_that_takes_too_long_is_refused(thinking):
    thinking.longest_thought = 0.1
    assert await code_of(ask(thinking, ADA, time.sleep, 60)) == ("busy", 503)


async def test_a_question_is_refused_if_no_worker_can_be_started(thinking, monkeypatch):
    def fail(*args):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(Pool, "ask", fail)
    assert await code_of(ask(thinking, ADA, max, 1, 2)) == ("busy", 503)


async def test_waiting_questions_are_refused_when_the_workers_are_stopped(thinking, held):
    asked = [
        ask(thinking, Asker(number, "192.0.2.1"), wait_for_file, held, key=number)
        for number in range(5)
    ]
    await begun(held)
    while thinking._people._waiting:
        await asyncio.to_thread(thinking.end)
    assert [await code_of(one) for one in asked] == [("busy", 503)] * 5


async def test_a_running_hint_does_not_delay_a_computers_move(thinking, held):
    hint = ask(thinking, ADA, wait_for_file, held)
    await begun(held)
    state = {"pool": 9, "opening": "any", "played": [6], "turn": 2}
    async with asyncio.timeout(20):
        assert await thinking.choose_move("192.0.2.1", "number-tower-duel", state, "perfect")
    assert not hint.done()
    held.touch()
    await hint


async def test_thirty_people_who_ask_the_same_share_one_thought(thinking, tmp_path):
    written = tmp_path / "written"
    people = [Asker(None, "192.0.2.1"), *(Asker(number, "192.0.2.1") for number in range(29))]
    asked = [ask(thinking, asker, write_down, written) for asker in people]
    assert await asyncio.gather(*asked) == ["done"] * 30
    # Later it is answered from the cache.
    assert await ask(thinking, BO, write_down, written) == "done"
    assert written.read_text() == "x"


async def test_an_error_is_told_to_everyone_and_not_kept(thinking):
    asked = [ask(thinking, asker, int, "x", key="same") for asker in (ADA, BO)]
    for one in asked:
        with pytest.raises(ValueError, match="invalid literal"):
            await one
    assert await ask(thinking, ADA, int, "7", key="same") == 7


async def test_the_newer_question_of_a_guest_replaces_the_older(thinking, held, tmp_path):
    running = ask(thinking, BO, wait_for_file, held)
    await begun(held)
    written = tmp_path / "written"
    older = ask(thinking, ADA, write_down, written)
    await asyncio.sleep(0)
    newer = ask(thinking, ADA, max, 1, 2)
    assert await code_of(older) == ("replaced", 429)
    held.touch()
    assert await newer == 2
    await running
    assert not written.exists()


async def test_an_older_question_that_arrives_late_does_not_replace_the_newer(thinking, held):
    older, newer = Asker(1, "192.0.2.1"), Asker(1, "192.0.2.1")
    asked = ask(thinking, newer, wait_for_file, held)
    await begun(held)
    assert await code_of(ask(thinking, older, max, 1, 2)) == ("replaced", 429)
    held.touch()
    assert await asked is None


async def test_a_replaced_question_goes_on_for_others_who_wait_for_it(thinking, held):
    asked = [ask(thinking, asker, wait_for_file, held) for asker in (ADA, BO)]
    await begun(held)
    newer = ask(thinking, ADA, max, 1, 2)
    assert await code_of(asked[0]) == ("replaced", 429)
    held.touch()
    assert await asked[1] is None
    assert await newer == 2


async def test_a_question_in_the_queue_is_never_started_if_nobody_waits_for_it(
    thinking, held, tmp_path
):
    running = ask(thinking, BO, wait_for_file, held)
    await begun(held)
    written = tmp_path / "written"
    asked = [ask(thinking, asker, write_down, written) for asker in (ADA, Asker(3, "192.0.2.3"))]
    await asyncio.sleep(0)
    for one in asked:
        one.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert all(one.cancelled() for one in asked)
    held.touch()
    await running
    assert await ask(thinking, ADA, max, 1, 2) == 2
    assert not written.exists()
    assert not thinking._thoughts


@pytest.mark.parametrize(
    ("people", "allowed"),
    [
        ([Asker(None, "192.0.2.1")] * 20, asking.MOST_WITHOUT_ID),
        ([Asker(number, "192.0.2.1") for number in range(50)], asking.MOST_IN_NETWORK),
        ([Asker(number, f"192.0.2.{number}") for number in range(99)], asking.MOST_THOUGHTS),
    ],
    ids=["without an id", "in one network", "everywhere"],
)
async def test_beyond_the_limit_a_question_is_refused_at_once(thinking, held, people, allowed):
    asked = [
        ask(thinking, asker, wait_for_file, held, key=number) for number, asker in enumerate(people)
    ]
    await begun(held)
    refused = [one for one in asked if one.done()]
    assert len(asked) - len(refused) == allowed
    assert {await code_of(one) for one in refused} == {("busy", 503)}
    held.touch()
    await asyncio.gather(*(one for one in asked if one not in refused))


async def test_networks_take_turns(thinking, held):
    order = []
    running = ask(thinking, ADA, wait_for_file, held)
    await begun(held)
    asked = [
        ask(thinking, Asker(number, network), max, number, 0)
        for number, network in enumerate(["many", "many", "many", "one"], 10)
    ]
    for number, one in enumerate(asked):
        one.add_done_callback(lambda _, number=number: order.append(number))
    await asyncio.sleep(0)
    held.touch()
    await asyncio.gather(running, *asked)
    assert order == [0, 3, 1, 2]


async def test_a_full_queue_of_the_computers_refuses_at_once(held):
    queue = Queue(Pool(1), 2)
    asked = [asyncio.create_task(queue.run("", wait_for_file, held)) for _ in range(3)]
    await begun(held)
    assert await code_of(queue.run("", max, 1, 2)) == ("busy", 503)
    held.touch()
    await asyncio.gather(*asked)
    queue.pool.end()


async def test_the_cache_is_bounded(thinking, monkeypatch):
    monkeypatch.setattr(asking, "MOST_KEPT", 3)
    for number in range(5):
        await ask(thinking, ADA, max, number, 0)
    assert [key[1] for key in thinking._answers] == [2, 3, 4]
