"""Thoughts in other processes: they come back, and they make way for whoever wants the core."""

import os
import signal
import time
from random import Random

from games import thinking
from games.rules import GAMES


def test_a_thought_comes_back():
    game = GAMES["number-tower-duel"]
    state = game.setup(Random(1))
    asked = thinking.ask(thinking.choose, game.slug, game.to_json(state), "perfect")
    assert asked.result(timeout=60) in game.legal_moves(state)


def test_who_thinks_makes_way_many_times_a_second_and_not_afterwards(monkeypatch):
    times = []
    monkeypatch.setattr(os, "sched_yield", lambda: times.append(time.perf_counter()))
    before = signal.getsignal(signal.SIGALRM)
    try:
        until = time.perf_counter() + 10
        with thinking.giving_way():
            while len(times) < 100 and time.perf_counter() < until:
                pass
        during = len(times)
        until = time.perf_counter() + 20 * thinking.GIVES_WAY_EVERY
        while time.perf_counter() < until:
            pass
    finally:
        signal.signal(signal.SIGALRM, before)
    assert len(times) == during >= 100
