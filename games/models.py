"""What is kept: guests, matches, and every action of a match.

A match is its setup and its list of actions; the state is a replay of them and is stored nowhere.
"""

import secrets
import time
from typing import Any

from django.db import models

# No i, l, o, 0, 1: nobody should have to ask which of them is meant.
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 8


def new_match_id() -> str:
    """About 850 thousand million possibilities: not to be guessed under a limit of look-ups."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def new_serial() -> int:
    """Rises with time, so that the actions of matches played at the same time lie together: a
    commit then writes few pages, however many matches there are."""
    return (time.time_ns() // 1_000_000 << 21) | secrets.randbits(21)


class Guest(models.Model):
    """Somebody who plays without an account; the browser or program holds a signed token."""

    name = models.CharField(max_length=40)
    created = models.DateTimeField(auto_now_add=True)
    # The computer is a guest too, one for each of its levels; empty for people.
    level = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["level"], condition=~models.Q(level=""), name="one_guest_a_level"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Match(models.Model):
    """One playing of a game."""

    class Status(models.TextChoices):
        OPEN = "open"  # an invitation: a seat is free
        LIVE = "live"
        FINISHED = "finished"
        CANCELLED = "cancelled"  # by the one who invited
        EXPIRED = "expired"  # nobody took the invitation
        UNFINISHED = "unfinished"  # nobody moved for a long time

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_match_id)
    # For the database alone; links have the id, which tells nobody when a match was made.
    serial = models.BigIntegerField(unique=True, default=new_serial, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    setup = models.JSONField()
    listed = models.BooleanField(default=False)
    same_device = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)

    # The guests and the names they chose for this match; an empty name stands for the guest's own.
    seat_1 = models.ForeignKey(Guest, null=True, on_delete=models.PROTECT, related_name="+")
    seat_2 = models.ForeignKey(Guest, null=True, on_delete=models.PROTECT, related_name="+")
    name_1 = models.CharField(max_length=20, blank=True)
    name_2 = models.CharField(max_length=20, blank=True)

    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    winner = models.PositiveSmallIntegerField(null=True)

    # Matches between the same two: the first one's id, and the how-manieth this is. The seats swap
    # from one to the next, so whoever had seat 1 in the first has it in all odd ones.
    series = models.CharField(max_length=ID_LENGTH, db_index=True)
    number = models.PositiveIntegerField(default=1)
    rematch_offer = models.PositiveSmallIntegerField(default=0)  # the seat that offers, or 0
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["status", "listed", "created"])]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.series = self.series or self.id
        super().save(*args, **kwargs)


class Action(models.Model):
    """One move, forced pass or ending decision; never changed, never removed."""

    class Decision(models.TextChoices):
        RESIGN = "resign"
        CLAIM = "claim"

    # Both constraints below begin with the match: an index of its own would only cost writing.
    match = models.ForeignKey(
        Match, to_field="serial", on_delete=models.CASCADE, related_name="actions", db_index=False
    )
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    move = models.CharField(max_length=8, null=True)  # noqa: DJ001 — a decision has no move
    decision = models.CharField(max_length=8, null=True, choices=Decision.choices)  # noqa: DJ001
    # What the client called it; a forced pass was sent by nobody.
    client_id = models.CharField(max_length=64, null=True)  # noqa: DJ001
    time = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="one_action_a_version"),
            models.UniqueConstraint(fields=["match", "seat", "client_id"], name="one_action_an_id"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.version}"
