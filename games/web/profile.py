"""The API's addresses about the guest who asks: their name and what they have played."""

from typing import Any

import msgspec
from django.http import HttpRequest

from games.guests import profile
from games.matches import limits
from games.models import Guest
from games.web import actions
from games.web.api import body
from games.web.in_loop import in_loop


class Changes(msgspec.Struct):
    name: str | msgspec.UnsetType = msgspec.UNSET


def read_profile(request: HttpRequest) -> dict[str, Any]:
    return profile.profile_of(actions.me(request))


@in_loop(read_profile)
def show(request: HttpRequest, found: dict[str, Any]) -> dict[str, Any]:
    return found


def change(request: HttpRequest) -> dict[str, Any]:
    name = body(request, Changes).name
    if name is msgspec.UNSET:
        return read_profile(request)

    def change_name(guest: Guest) -> Guest:
        limits.require_change(guest.pk, actions.address_of(request))
        return profile.change_name(guest=guest, name=name)

    changed = actions.as_guest(request, change_name)
    actions.notify_of_guest(request, changed.pk)
    return profile.profile_of(changed)
