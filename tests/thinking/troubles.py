"""Functions that fail in a worker process. Workers have no Django, so neither has this module."""

import os
import time


def die(*args):
    os._exit(1)


def take_long(*args):
    time.sleep(60)


def fail(*args):
    raise ZeroDivisionError
