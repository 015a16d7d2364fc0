"""The solver's worker processes answer, and they yield the core to other processes."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from random import Random

import pytest

from games.catalogue import KITS
from games.rules import GAMES
from games.thinking import pool
from games.thinking.pool import Pool


@pytest.fixture(scope="module")
def workers():
    workers = Pool(1)
    yield workers
    workers.end()


def test_a_worker_answers(workers):
    game = GAMES["number-tower-duel"]
    state = game.setup(Random(1))
    asked = workers.ask(pool.choose, game.slug, game.to_json(state), "perfect")
    assert asked.result(timeout=60) in game.legal_moves(state)


def test_workers_answer_even_if_other_processes_keep_every_core_busy(workers):
    game = GAMES["number-eliminator"]

    def hint(seed):
        state = game.setup(Random(seed), **KITS[game.slug].sizes[-1].options)
        return workers.ask(pool.hint, game.slug, game.to_json(state)).result(timeout=20)

    hint(1)
    with ExitStack() as stack:
        for _ in range(os.cpu_count()):
            busy = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
            process = stack.enter_context(subprocess.Popen(busy, stdout=subprocess.PIPE))
            stack.callback(process.kill)
            process.stdout.readline()
        for seed in range(2, 6):
            assert hint(seed)


def test_shutting_down_all_pools_drops_their_questions():
    here, there = Pool(1), Pool(2)
    asked = [pool.ask(time.sleep, 60) for pool in (here, there) for _ in range(5)]
    pool.end()
    for each in asked:
        if not each.cancelled():
            with pytest.raises(BrokenProcessPool):
                each.result(timeout=20)
    assert here.ask(max, 1, 2).result(timeout=60) == 2
    here.end()


def test_shutting_down_one_pool_leaves_the_others_alone(workers):
    other = Pool(1)
    asked = other.ask(time.sleep, 60)
    kept = workers.ask(time.sleep, 0.2)
    other.end()
    assert asked.cancelled() or isinstance(asked.exception(timeout=20), BrokenProcessPool)
    assert kept.result(timeout=60) is None


def test_a_worker_gives_up_when_it_has_worked_for_too_long(monkeypatch):
    monkeypatch.setattr(pool, "LONGEST_WORK", 0.05)
    before = signal.getsignal(signal.SIGALRM)
    begin = time.perf_counter()

    def work():
        while time.perf_counter() < begin + 10:
            pass

    try:
        with pytest.raises(TimeoutError):
            pool._work_out(work)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - begin < 5


def test_a_worker_yields_many_times_a_second_and_stops_when_it_is_done(monkeypatch):
    times = []
    monkeypatch.setattr(os, "sched_yield", lambda: times.append(time.perf_counter()))
    before = signal.getsignal(signal.SIGALRM)
    try:
        until = time.perf_counter() + 10
        with pool.giving_way():
            while len(times) < 100 and time.perf_counter() < until:
                pass
        during = len(times)
        until = time.perf_counter() + 20 * pool.GIVES_WAY_EVERY
        while time.perf_counter() < until:
            pass
    finally:
        signal.signal(signal.SIGALRM, before)
    assert len(times) == during >= 100
