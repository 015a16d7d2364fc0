"""Measures the rules: random matches of every game, one after the other, on one core.

    python -m bench.rules [--seconds 2] [--profile number-tower-duel]

A move includes everything the server asks of the rules: listing the legal moves, playing one of
them, and its events. `why_not` is measured separately, for one position.
"""

import argparse
import cProfile
import pstats
from random import Random
from time import perf_counter

from games.rules import GAMES


def playouts(slug: str, seconds: float, rng: Random) -> tuple[int, int, float]:
    """Play at random, and return how many matches and moves that were in how many seconds."""
    game = GAMES[slug]
    matches = moves = 0
    start = perf_counter()
    while (took := perf_counter() - start) < seconds:
        state = game.setup(rng)
        while legal := game.legal_moves(state):
            state = game.play(state, state.turn, legal[int(rng.random() * len(legal))]).state
            moves += 1
        matches += 1
    return matches, moves, took


def microseconds_of_why_not(slug: str, rounds: int = 20_000) -> float:
    game = GAMES[slug]
    state = game.setup(Random(1))
    state = game.play(state, 1, game.legal_moves(state)[5]).state
    start = perf_counter()
    for _ in range(rounds):
        game.why_not(state)
    return (perf_counter() - start) / rounds * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--profile", choices=list(GAMES), help="show where one game's time goes")
    arguments = parser.parse_args()
    if arguments.profile:
        profile = cProfile.Profile()
        profile.runcall(playouts, arguments.profile, arguments.seconds, Random(1))
        pstats.Stats(profile).sort_stats("tottime").print_stats(12)
        return
    print(f"{'game':<20}{'matches/s':>12}{'moves/s':>12}{'why_not µs':>12}")
    for slug in GAMES:
        matches, moves, took = playouts(slug, arguments.seconds, Random(1))
        why_not = microseconds_of_why_not(slug)
        print(f"{slug:<20}{matches / took:>12,.0f}{moves / took:>12,.0f}{why_not:>12.1f}")


if __name__ == "__main__":
    main()
