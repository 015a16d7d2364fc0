"""The tables: guests, matches and actions.

A match is stored as its setup and its actions. Its state is not stored, but replayed from them.
"""

import secrets
import time
from threading import Lock
from typing import Any

from django.db import models

# No i, l, o, 0 or 1, which are easily mistaken for each other.
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 8


def new_match_id() -> str:
    """Return a random id. There are about 850 billion, too many to guess while wrong links are
    limited."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


_serial_lock = Lock()
_last_serial = 0


def new_serial() -> int:
    """Return a number that grows with time, and with every call in this process.

    Actions of matches played at the same time are then stored close together, and a commit writes
    few pages however many matches there are. The random part tells processes apart.
    """
    global _last_serial
    with _serial_lock:
        now = first_serial_at(time.time()) | secrets.randbits(20)
        _last_serial = max(now, _last_serial + 1)
        return _last_serial


def first_serial_at(when: float) -> int:
    """Return the lowest serial of matches created at this time or later."""
    return int(when * 1000) << 21


class Guest(models.Model):
    """Somebody who plays without an account. Their browser or program holds a signed token.

    A guest is stored with their first seat; until then, there is only the token with their id.
    """

    name = models.CharField(max_length=40)
    created = models.DateTimeField(auto_now_add=True)
    # The computer is a guest too, one for each level. Empty for people.
    level = models.CharField(max_length=20, blank=True)
    # Whether they play in a match that is kept.
    kept = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["id"], condition=models.Q(kept=False), name="guest_not_kept")
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["level"], condition=~models.Q(level=""), name="one_guest_a_level"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Match(models.Model):
    """A match of one game, with two seats."""

    class Status(models.TextChoices):
        OPEN = "open"  # an invitation with a free seat
        LIVE = "live"
        FINISHED = "finished"
        CANCELLED = "cancelled"  # by the person who sent the invitation
        EXPIRED = "expired"  # nobody accepted the invitation
        UNFINISHED = "unfinished"  # nobody moved for a long time

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_match_id)
    # Used only inside the database. Links use the id, which doesn't reveal the time of creation.
    serial = models.BigIntegerField(unique=True, default=new_serial, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    setup = models.JSONField()
    listed = models.BooleanField(default=False)
    same_device = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)

    # The guests and the names they chose for this match. Empty means the guest's own name.
    seat_1 = models.ForeignKey(Guest, null=True, on_delete=models.PROTECT, related_name="+")
    seat_2 = models.ForeignKey(Guest, null=True, on_delete=models.PROTECT, related_name="+")
    name_1 = models.CharField(max_length=20, blank=True)
    name_2 = models.CharField(max_length=20, blank=True)

    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    winner = models.PositiveSmallIntegerField(null=True)

    # Matches between the same two players: the id of the first one, and this one's number in the
    # series. Seats swap after each match, so the odd-numbered matches have the first one's seats.
    series = models.CharField(max_length=ID_LENGTH, db_index=True)
    number = models.PositiveIntegerField(default=1)
    rematch_offer = models.PositiveSmallIntegerField(default=0)  # the seat that offers, or 0
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="+")

    # Whether it has ended and is kept for good. Sweeps set this, and skip the match from then on.
    kept = models.BooleanField(default=False)

    class Meta:
        # They leave most matches out, so they stay small however many matches there are.
        indexes = [
            models.Index(fields=["serial"], condition=models.Q(kept=False), name="match_not_kept"),
            *(
                models.Index(
                    fields=[seat],
                    condition=models.Q(status="open", listed=True),
                    name=f"listed_by_{seat}",
                )
                for seat in ("seat_1", "seat_2")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.series = self.series or self.id
        super().save(*args, **kwargs)


class Action(models.Model):
    """One move, forced pass or decision that ends the match. Actions are only ever added."""

    class Decision(models.TextChoices):
        RESIGN = "resign"
        CLAIM = "claim"

    # The version identifies an action of a match. That also keeps a client's id from being stored
    # twice: an action goes in at a version only if its sender knew all actions before it.
    pk = models.CompositePrimaryKey("match", "version")
    # Refers to the match by its serial, not by its id. The primary key starts with this column, so
    # an index on it alone would only make writing slower.
    match = models.ForeignKey(
        Match,
        to_field="serial",
        db_column="match_serial",
        on_delete=models.CASCADE,
        related_name="actions",
        db_index=False,
    )
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    move = models.CharField(max_length=8, null=True)  # noqa: DJ001 — a decision has no move
    decision = models.CharField(max_length=8, null=True, choices=Decision.choices)  # noqa: DJ001
    # The id the client gave it. A forced pass has none, because no client sent it.
    client_id = models.CharField(max_length=64, null=True)  # noqa: DJ001
    time = models.FloatField()

    def __str__(self) -> str:
        return f"{self.match} {self.version}"
