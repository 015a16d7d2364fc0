"""`manage.py play <slug>`: a match between two people at one terminal."""

import sys
from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.catalogue import KITS, Kit
from games.catalogue.terminal import play_match
from games.rules import BadOption


class Command(BaseCommand):
    help = "Play a match between two people at this terminal."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=list(KITS), metavar="game", help=", ".join(KITS))
        with_grid = ", ".join(kit.name for kit in KITS.values() if kit.setup_from)
        parser.add_argument(
            "--grid",
            help=f"the first grid ({with_grid}), row by row: 159628734, or numbers with commas",
        )
        parser.add_argument("--seed", type=int, help="make the shuffle repeatable")

    def handle(self, *args: Any, **options: Any) -> None:
        kit = KITS[options["game"]]
        state = first_state(kit, options["grid"], options["seed"])
        for stream in (sys.stdin, sys.stdout):
            # A stray byte from the keyboard, or a terminal without "×", must not end a match.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        try:
            play_match(kit, state, ask, print)
        except (EOFError, KeyboardInterrupt):
            print("\nThe match was left unfinished.")
            sys.exit(1)


def first_state(kit: Kit, grid: str | None, seed: int | None) -> Any:
    if grid is None:
        return kit.game.setup(Random(seed))
    if kit.setup_from is None:
        raise CommandError(f"{kit.name} has no grid: leave out --grid.", returncode=2)
    try:
        return kit.setup_from(numbers_in(grid))
    except BadOption as refusal:
        raise CommandError(refusal.text, returncode=2) from refusal


def numbers_in(grid: str) -> list[int]:
    """Return the numbers in `159628734` or in `1,5,9,…`."""
    parts = grid.split(",") if "," in grid else list(grid)
    parts = [part.strip() for part in parts]
    if not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
        raise BadOption("A grid is written as digits, 159628734, or as numbers with commas.")
    return [int(part) for part in parts]


def ask(prompt: str) -> str:
    entry = input(prompt)
    if not sys.stdin.isatty():
        # A terminal echoes what is typed. Input from a file or a pipe has to be printed.
        print(entry)
    return entry
