"""What can go wrong in a process that thinks. It has no Django, so these need a module without."""

import os
import time


def die(*args):
    os._exit(1)


def take_long(*args):
    time.sleep(60)


def fail(*args):
    raise ZeroDivisionError
