"""A question to the solver always ends: with its answer, or with a refusal."""

import asyncio
import os
import time

import pytest

from games.refusals import Refusal
from games.thinking import asking, pool
from games.thinking.asking import think


@pytest.fixture(autouse=True)
def _ended_pool():
    yield
    pool.end()


async def refusal_of(*args, **kwargs):
    with pytest.raises(Refusal) as caught:
        await think(*args, **kwargs)
    return caught.value.code, caught.value.status


async def test_an_answer_comes_back():
    assert await think(max, 1, 2) == 2


async def test_a_worker_that_dies_is_a_refusal_and_the_next_question_is_answered():
    assert await refusal_of(os._exit, 1) == ("busy", 503)
    assert await think(max, 1, 2) == 2


async def test_a_thought_that_takes_too_long_is_a_refusal(monkeypatch):
    assert await refusal_of(time.sleep, 60, seconds=0.1) == ("busy", 503)
    monkeypatch.setattr(asking, "LONGEST_THOUGHT", 0.1)
    assert await refusal_of(time.sleep, 60) == ("busy", 503)


async def test_workers_that_cannot_be_started_are_a_refusal(monkeypatch):
    def fail(*args):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(pool, "ask", fail)
    assert await refusal_of(max, 1, 2) == ("busy", 503)


async def test_a_pool_that_is_ended_meanwhile_is_a_refusal():
    questions = [asyncio.create_task(refusal_of(time.sleep, 60)) for _ in range(5)]
    await asyncio.sleep(0.5)
    await asyncio.to_thread(pool.end)
    assert await asyncio.gather(*questions) == [("busy", 503)] * 5


async def test_a_task_that_is_cancelled_stays_cancelled():
    question = asyncio.create_task(think(time.sleep, 60))
    await asyncio.sleep(0.1)
    question.cancel()
    with pytest.raises(asyncio.CancelledError):
        await question
