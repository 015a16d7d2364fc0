"""Recovery codes: words that bring a guest back on a new device. Only a keyed hash is stored."""

import re
import secrets
from datetime import date
from functools import cache
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from games.guests.keyed_hashes import keyed_hash
from games.matches import services
from games.models import Guest, RecoveryCode
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

CODE_WRONG = Template(_("No player has this code. Check every word, or make a new code."))
CODE_LENGTH = Template(_("A recovery code has {words} words."))
UNKNOWN_WORD = Template(_("None of our codes has the word “{word}”. Check its spelling."))

# 512 words are 9 bits each, so a code has 63.
WORDS = 7
LONGEST_CODE = 200
SEPARATOR = re.compile(r"[\s,.;\-–—]+")


@cache
def word_list() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("words.txt").read_text().split())


def new_code(guest: Guest) -> str:
    """Return a new code for this guest, for the only time. It replaces the codes they had."""
    code = " ".join(secrets.choice(word_list()) for _ in range(WORDS))
    with transaction.atomic():
        services.store(guest)
        RecoveryCode.objects.filter(guest=guest.pk).delete()
        RecoveryCode.objects.create(
            guest_id=guest.pk, digest=_hash(code), created=timezone.now().date()
        )
    return code


def delete_code(guest: Guest) -> None:
    with transaction.atomic():
        services.store(guest)
        RecoveryCode.objects.filter(guest=guest.pk).delete()


def made_on(guest: Guest) -> date | None:
    """Return when this guest's code was made; None if they have none."""
    codes = RecoveryCode.objects.filter(guest=guest.pk).order_by("-created")
    return codes.values_list("created", flat=True).first()


def clean(typed: str) -> str:
    """Return a code as it was made, from what somebody typed; raise a `Refusal` if it can't be."""
    words = [word for word in SEPARATOR.split(typed[:LONGEST_CODE].lower()) if word]
    if len(words) != WORDS or len(typed) > LONGEST_CODE:
        raise Refusal("bad_code", CODE_LENGTH(words=WORDS))
    for word in words:
        if word not in word_list():
            raise Refusal("bad_code", UNKNOWN_WORD(word=word))
    return " ".join(words)


def guest_with_code(code: str) -> Guest:
    """Return the guest with this cleaned code, or raise a `Refusal`."""
    found = RecoveryCode.objects.select_related("guest").filter(digest=_hash(code)).first()
    if found is None or found.guest.is_leaving:
        raise Refusal("wrong_code", CODE_WRONG(), 404)
    return found.guest


def _hash(code: str) -> str:
    return keyed_hash("recovery-code", code)
