"""Functions that fail or wait in a worker. Workers have no Django, so neither has this module."""

import os
import time


def die(*args):
    os._exit(1)


def take_long(*args):
    time.sleep(60)


def fail(*args):
    raise ZeroDivisionError


def wait_for_file(path):
    """Wait until a file exists, and tell with another one that this has begun."""
    path.with_suffix(".begun").touch()
    while not path.exists():
        time.sleep(0.01)


def write_down(path):
    """Leave a mark in a file each time this is called."""
    with path.open("a") as file:
        file.write("x")
    return "done"
