"""The tables: guests, their devices and records, matches and actions.

A match is stored as its setup and its actions. Its state is not stored, but replayed from them.
"""

import secrets
import time
from threading import Lock
from typing import Any

from django.db import models

from games.matches.identity import MOST_DEVICES, Who

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


def created_at(serial: int) -> float:
    """Return the time at which a match with this serial was created, to the millisecond."""
    return (serial >> 21) / 1000


class Guest(models.Model):
    """Somebody who plays without an account. Their browser or program holds a signed token.

    A guest is stored with their first seat or name; until then, there is only the token with their
    id.
    """

    # The generated name, which lists show to strangers.
    name = models.CharField(max_length=40)
    # The name they chose, empty if none. A default in the database, so that a process of an earlier
    # version can still add guests.
    chosen = models.CharField(max_length=120, blank=True, default="", db_default="")
    created = models.DateTimeField(auto_now_add=True)
    # The computer is a guest too, one for each level. Empty for people.
    level = models.CharField(max_length=20, blank=True)
    # Whether they play in a match that is kept.
    kept = models.BooleanField(default=False)

    # Bit n is set if device n was signed out; all of them are once the guest is about to go.
    signed_out = models.BigIntegerField(default=0, db_default=0)
    # When that last changed, so that every process notices, even if a message was lost.
    signed_out_at = models.DateTimeField(null=True)
    # The guest who gets everything of this one, while they are being merged.
    merged_into = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )

    # The number of the device that acts right now. Not stored here.
    device = 0

    class Meta:
        indexes = [
            models.Index(fields=["id"], condition=models.Q(kept=False), name="guest_not_kept"),
            models.Index(
                fields=["signed_out_at"],
                condition=models.Q(signed_out_at__isnull=False),
                name="guest_signed_out",
            ),
            models.Index(
                fields=["merged_into"],
                condition=models.Q(merged_into__isnull=False),
                name="guest_being_merged",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["level"], condition=~models.Q(level=""), name="one_guest_a_level"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_name(self) -> str:
        """The name to show to people who play with them or have the link to a match of theirs."""
        return self.chosen or self.name

    @property
    def who(self) -> Who:
        return Who(self.pk, self.device)

    def is_signed_out(self, device: int) -> bool:
        return bool(self.signed_out >> device & 1)

    @property
    def is_leaving(self) -> bool:
        """Whether this guest is being deleted, because they asked for it or were merged."""
        return self.signed_out == ALL_DEVICES


# Every bit of `Guest.signed_out`.
ALL_DEVICES = (1 << MOST_DEVICES) - 1


class Device(models.Model):
    """A browser or program of a guest. The first one has no row before there is a second."""

    # The constraint's index finds a guest's devices too.
    guest = models.ForeignKey(
        Guest, on_delete=models.CASCADE, related_name="devices", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    # Such as Firefox and Android: one of the names we know, never what the browser sent.
    browser = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20, blank=True)
    created = models.DateField()
    seen = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["guest", "number"], name="one_number_a_device")
        ]

    def __str__(self) -> str:
        return f"{self.browser} {self.system}"


class FormerToken(models.Model):
    """A token of a guest who is gone, so that it can't bring them back.

    If they were merged into another guest, `device` is what the device is now.
    """

    guest_id = models.BigIntegerField()
    number = models.PositiveSmallIntegerField()
    device = models.ForeignKey(Device, null=True, on_delete=models.SET_NULL, related_name="+")
    # Deleted when the token itself has expired.
    since = models.DateField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["guest_id", "number"], name="one_former_token")
        ]

    def __str__(self) -> str:
        return f"{self.guest_id}-{self.number}"


class DeviceLink(models.Model):
    """A link that makes another device this guest's, once. Its secret is stored as a keyed hash."""

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField(db_index=True)
    used = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.guest} {self.expires}"


class RecoveryCode(models.Model):
    """A code of words that brings a guest back, stored as a keyed hash."""

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateField()

    def __str__(self) -> str:
        return f"{self.guest} {self.created}"


class Match(models.Model):
    """A match of one game, with two seats."""

    class Status(models.TextChoices):
        OPEN = "open"  # an invitation with a free seat
        LIVE = "live"
        FINISHED = "finished"
        CANCELLED = "cancelled"  # by the person who sent the invitation
        EXPIRED = "expired"  # nobody accepted the invitation
        UNFINISHED = "unfinished"  # nobody moved for a long time

    class Pace(models.TextChoices):
        NOW = "now"  # both stay until the match is over
        NO_HURRY = "no-hurry"  # a move may take days

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_match_id)
    # Used only inside the database. Links use the id, which doesn't reveal the time of creation.
    serial = models.BigIntegerField(unique=True, default=new_serial, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    setup = models.JSONField()
    listed = models.BooleanField(default=False)
    same_device = models.BooleanField(default=False)
    # When a win may be claimed. It has no meaning on one device or against the computer.
    pace = models.CharField(
        max_length=10, choices=Pace.choices, default=Pace.NOW, db_default=Pace.NOW
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)

    # The guests. A seat without one is free or, once the match has started, a former player's. The
    # names are those that earlier versions kept for each match; they are no longer written, and
    # empty means the guest's own name.
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
    # The game that is offered, if it is another one.
    rematch_game = models.CharField(max_length=40, blank=True, default="", db_default="")
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="+")

    # Whether it has ended and is kept for good. Sweeps set this, and skip the match from then on.
    kept = models.BooleanField(default=False)

    # These columns may be NULL because SQLite can then add them without copying the table.
    # Whether it is over and its players' records contain it (games/guests/tallies.py).
    tallied = models.BooleanField(null=True)
    # Each player's accuracy in per cent, once the match was reviewed.
    accuracy_1 = models.PositiveSmallIntegerField(null=True)
    accuracy_2 = models.PositiveSmallIntegerField(null=True)
    # The version of which each player was last told by web push, plus one.
    told_1 = models.PositiveIntegerField(null=True)
    told_2 = models.PositiveIntegerField(null=True)

    class Meta:
        # They leave most matches out, so they stay small however many matches there are.
        indexes = [
            models.Index(fields=["serial"], condition=models.Q(kept=False), name="match_not_kept"),
            models.Index(
                fields=["ended", "serial"],
                condition=models.Q(tallied__isnull=True, ended__isnull=False),
                name="match_not_tallied",
            ),
            *(
                models.Index(
                    fields=[seat],
                    condition=models.Q(status="open", listed=True),
                    name=f"listed_by_{seat}",
                )
                for seat in ("seat_1", "seat_2")
            ),
            # A guest's matches: those that a sweep hasn't looked at since they ended, and the
            # others by the time they ended. Ending a match changes neither index.
            *(
                models.Index(
                    fields=[seat], condition=models.Q(kept=False), name=f"not_kept_of_{seat}"
                )
                for seat in ("seat_1", "seat_2")
            ),
            *(
                models.Index(
                    fields=[seat, "ended", "serial"],
                    condition=models.Q(kept=True),
                    name=f"kept_of_{seat}",
                )
                for seat in ("seat_1", "seat_2")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.series = self.series or self.id
        super().save(*args, **kwargs)

    def shown_name(self, seat: int) -> str:
        """Return the name of the player in a seat, as everyone with the link sees it."""
        guest, kept = (self.seat_1, self.name_1) if seat == 1 else (self.seat_2, self.name_2)
        return kept or (guest.shown_name if guest else "")

    def seats_with(self, guest_id: int) -> tuple[int, ...]:
        """Return the seats in which a guest sits, whichever of their devices asks."""
        taken = ((1, self.seat_1_id), (2, self.seat_2_id))
        return tuple(seat for seat, taken_by in taken if taken_by == guest_id)

    def seats_of(self, who: Who | None) -> tuple[int, ...]:
        """Return the seats this guest plays. A device that was signed out plays none."""
        seats = self.seats_with(who.guest_id) if who is not None else ()
        if who is None or not seats:
            return ()
        guest = self.seat_1 if seats[0] == 1 else self.seat_2
        assert guest is not None
        return () if guest.is_signed_out(who.device) else seats

    def is_former(self, seat: int) -> bool:
        """Return whether the player in this seat asked us to forget them."""
        guest_id = self.seat_1_id if seat == 1 else self.seat_2_id
        return guest_id is None and self.started is not None


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


class Tally(models.Model):
    """A guest's record in one game against one kind of opponent: added up, so that nobody has to
    count matches."""

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    # `people`, or the computer's level.
    kind = models.CharField(max_length=20)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    # How many matches in a row were won: up to the last one, and at best.
    run = models.PositiveIntegerField(default=0)
    best_run = models.PositiveIntegerField(default=0)
    # The accuracies of the matches that were reviewed, in per cent, and how many these are.
    accuracy_sum = models.PositiveIntegerField(default=0)
    accuracy_count = models.PositiveIntegerField(default=0)
    # When the last of these matches ended.
    last = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["guest", "game", "kind"], name="one_tally_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.guest_id} {self.game} {self.kind}"


class TallyWeek(models.Model):
    """How many matches a guest played and won in one week, for the chart."""

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="+", db_index=False)
    week = models.DateField()  # its Monday
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["guest", "week"], name="one_tally_a_week")]

    def __str__(self) -> str:
        return f"{self.guest_id} {self.week}"


class PushSubscription(models.Model):
    """A browser that wants to be told by web push, and how to reach it."""

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="+")
    # Long addresses make bad keys, so the endpoint is found by its hash.
    digest = models.CharField(max_length=64, unique=True)
    endpoint = models.CharField(max_length=1000)
    p256dh = models.CharField(max_length=87)
    auth = models.CharField(max_length=22)
    language = models.CharField(max_length=10)
    created = models.DateTimeField(auto_now_add=True)
    # How many messages in a row the push service did not take.
    failures = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.guest_id} {self.digest[:8]}"
