"""A question to the solver always ends in an answer or a refusal."""

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


async def test_a_question_is_answered():
    assert await think(max, 1, 2) == 2


async def test_if_a_worker_dies_its_question_is_refused_and_the_next_is_answered():
    assert await refusal_of(os._exit, 1) == ("busy", 503)
    assert await think(max, 1, 2) == 2


async def test_a_question_that_takes_too_long_is_refused(monkeypatch):
    assert await refusal_of(time.sleep, 60, seconds=0.1) == ("busy", 503)
    monkeypatch.setattr(asking, "LONGEST_THOUGHT", 0.1)
    assert await refusal_of(time.sleep, 60) == ("busy", 503)


async def test_a_question_is_refused_if_no_worker_can_be_started(monkeypatch):
    def fail(*args):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(pool, "ask", fail)
    assert await refusal_of(max, 1, 2) == ("busy", 503)


async def test_waiting_questions_are_refused_when_the_pool_is_shut_down():
    questions = [asyncio.create_task(refusal_of(time.sleep, 60)) for _ in range(5)]
    await asyncio.sleep(0.5)
    await asyncio.to_thread(pool.end)
    assert await asyncio.gather(*questions) == [("busy", 503)] * 5


async def test_a_cancelled_task_stays_cancelled():
    question = asyncio.create_task(think(time.sleep, 60))
    await asyncio.sleep(0.1)
    question.cancel()
    with pytest.raises(asyncio.CancelledError):
        await question
