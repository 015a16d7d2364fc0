"""A guest's devices, the ways back to a guest, and what people may do with what we know of them."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.guests import arrivals, data, device_links, devices, leaving, recovery
from games.guests.arrivals import Arrival
from games.guests.labels import Kind, kind_of, label_of
from games.matches import identity, limits
from games.matches.identity import Who
from games.models import ALL_DEVICES, Guest
from games.refusals import Refusal
from games.sentences import PLAIN, to_json
from games.web import actions
from games.web.api import body
from games.web.in_loop import in_loop
from games.web.links import qr_code, shareable
from games.web.outlines import as_script, page
from games.words.dictionaries import DEVICES, templates_in

NOT_CONFIRMED = PLAIN(text='To delete everything about this guest, send {"confirm": true}.')
NO_DEVICE = PLAIN(text="Send the number of a device, or others as true.")

FILE_NAME = "numgames.json"


class SigningOut(msgspec.Struct):
    device: Annotated[int, msgspec.Meta(ge=0, lt=identity.MOST_DEVICES)] | None = None
    others: bool = False


class ByLink(msgspec.Struct):
    secret: Annotated[str, msgspec.Meta(max_length=200)]
    merge: bool | None = None


class ByCode(msgspec.Struct):
    code: Annotated[str, msgspec.Meta(max_length=400)]
    merge: bool | None = None


class Forgetting(msgspec.Struct):
    confirm: bool = False


# --- Devices --------------------------------------------------------------------------------


def read_devices(request: HttpRequest) -> dict[str, Any]:
    return about_devices(request, actions.me(request))


def about_devices(request: HttpRequest, guest: Guest) -> dict[str, Any]:
    made_on = recovery.made_on(guest)
    return {
        "devices": [
            {
                "number": device.number,
                "label": str(label_of(device)),
                **to_json(label_of(device)),
                "created": str(device.created),
                "seen": str(device.seen),
                "this": device.number == guest.device,
            }
            for device in devices.of(guest, kind_here(request))
        ],
        "recovery": str(made_on) if made_on else None,
    }


@in_loop(read_devices)
def list_devices(request: HttpRequest, found: dict[str, Any]) -> dict[str, Any]:
    return found


def read_for_page(request: HttpRequest) -> dict[str, Any] | None:
    """Return what the page shows; None for somebody who isn't a guest."""
    try:
        return read_devices(request)
    except Refusal:
        return None


@require_safe
@never_cache
@ensure_csrf_cookie
@in_loop(read_for_page)
def page_of_devices(request: HttpRequest, found: dict[str, Any] | None) -> HttpResponse:
    known = found or {"devices": [], "recovery": None}
    shown = Shown(found is not None, len(known["devices"]) > 1, known["recovery"] is not None)
    gaps = {
        "known": as_script(found or {}, "known-devices"),
        # Room for what the script will show, so that nothing moves.
        "rows": mark_safe("<li></li>" * len(known["devices"])),
        "made_on": known["recovery"] or "",
    }
    response = page(request, "me/devices.html", Shown.context, shown, gaps=gaps)
    actions.remember_guest(request, response)
    return response


class Shown(NamedTuple):
    """What decides which parts the page has."""

    has_guest: bool
    has_several: bool
    has_code: bool

    def context(self) -> dict[str, Any]:
        return {**self._asdict(), "code_words": recovery.WORDS, **words()}


def words() -> dict[str, Any]:
    """Return what the API may refuse here, in the page's language."""
    texts = [] if get_language() == settings.LANGUAGE_CODE else templates_in(DEVICES)
    return {"words": {text: gettext(text) for text in sorted(texts)}}


def sign_out(request: HttpRequest) -> dict[str, Any]:
    wanted = body(request, SigningOut)
    guest = acting_guest(request)
    if wanted.others:
        mask = devices.sign_out_others(guest)
    elif wanted.device is not None:
        mask = devices.sign_out(guest, wanted.device)
    else:
        raise Refusal("bad_query", NO_DEVICE)
    actions.notify_signed_out(request, guest.pk, mask)
    if mask >> guest.device & 1:
        request.without_cookie = True  # type: ignore[attr-defined]
        return {}
    return about_devices(request, guest)


def acting_guest(request: HttpRequest) -> Guest:
    """Return the guest who changes something about their devices, within their limit."""
    guest = actions.me(request)
    limits.DEVICES_BY_GUEST.require(guest.pk)
    return guest


# --- Another device -------------------------------------------------------------------------


def new_link(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    guest = acting_guest(request)
    devices.write_down(guest, kind_here(request))
    secret = device_links.new_link(guest)
    # What follows the # is sent to no server, so the secret is in no log.
    url = f"{shareable(request, reverse('arrive'))}#{secret}"
    seconds = int(device_links.VALID_FOR.total_seconds())
    # A plain str, because msgspec can't encode Django's safe ones.
    picture = qr_code(url, is_secret=True)[:]
    return 201, {"url": url, "expires_in": seconds, "qr": picture}


def new_code(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    guest = acting_guest(request)
    devices.write_down(guest, kind_here(request))
    return 201, {"code": recovery.new_code(guest)}


def delete_code(request: HttpRequest) -> dict[str, Any]:
    recovery.delete_code(acting_guest(request))
    return {}


def kind_here(request: HttpRequest) -> Kind:
    """Return what kind of device sent this request."""
    return kind_of(request.headers.get("User-Agent", ""))


@require_safe
@never_cache
@ensure_csrf_cookie
@in_loop()
def arrive_page(request: HttpRequest) -> HttpResponse:
    """Show what a link from another device does. The page's script has the secret."""
    return page(request, "me/arrive.html", words)


def arrive(request: HttpRequest) -> dict[str, Any]:
    given = body(request, ByLink)
    return arrived(
        request,
        lambda current, kind: arrivals.by_link(
            given.secret, current=current, merge=given.merge, kind=kind
        ),
    )


def recover(request: HttpRequest) -> dict[str, Any]:
    given = body(request, ByCode)
    return arrived(
        request,
        lambda current, kind: arrivals.by_code(
            given.code, current=current, merge=given.merge, kind=kind
        ),
    )


def arrived(request: HttpRequest, redeem: Callable[[Who | None, Kind], Arrival]) -> dict[str, Any]:
    """Redeem a link or a code within the limits, and answer with who the device is now."""
    current, is_browser = device_that_arrives(request)
    network = actions.address_of(request)
    by_guest = [(limits.ARRIVING_BY_GUEST, current.guest_id)] if current else []
    limits.require_all((limits.ARRIVING_BY_ADDRESS, network), *by_guest)
    wrong = ((limits.WRONG_CODES_BY_ADDRESS, network), (limits.WRONG_CODES_IN_ALL, ""))
    for limit, key in wrong:
        if limit.is_used_up(key):
            raise limit.refusal(key)
    try:
        arrival = redeem(current, kind_here(request))
    except Refusal as refusal:
        if refusal.code in ("wrong_link", "wrong_code"):
            limits.require_all(*wrong)
        raise
    if arrival.old is not None:
        let_go(request, arrival.old)
    guest = arrival.guest
    answer = {"name": guest.shown_name, "merged": arrival.old is not None}
    if is_browser:
        request.new_cookie_for = guest  # type: ignore[attr-defined]
        return answer
    return {**answer, "token": identity.token_for(guest.pk, guest.device)}


def device_that_arrives(request: HttpRequest) -> tuple[Who | None, bool]:
    """Return who the device has been until now, and whether it is a browser.

    Another site's page must not make somebody a guest of its choice.
    """
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    if token is not None:
        return actions.who_with(token), False
    if actions.is_from_our_page(request):
        return actions.viewer(request), True
    if request.COOKIES or actions.is_cross_site(request):
        raise Refusal("no_identity", actions.NO_IDENTITY, 403)
    return None, False


def let_go(request: HttpRequest, guest: Guest) -> None:
    """Finish what was decided: merge a guest into another, or forget them."""
    actions.notify_signed_out(request, guest.pk, ALL_DEVICES)
    for match_ids in leaving.steps(guest):
        for match_id in match_ids:
            actions.notify(request, match_id)


# --- Yours ----------------------------------------------------------------------------------


def download(request: HttpRequest) -> StreamingHttpResponse:
    """Send everything that is stored about a guest, in parts."""
    guest = actions.me(request)
    limits.DOWNLOADS_BY_GUEST.require(guest.pk)
    return StreamingHttpResponse(
        data.download(guest),
        content_type="application/json",
        headers={
            "Cache-Control": "no-store",
            # Django would compress each part by itself, and browsers read only the first.
            "Content-Encoding": "identity",
            "Content-Disposition": f'attachment; filename="{FILE_NAME}"',
        },
    )


def forget(request: HttpRequest) -> dict[str, Any]:
    guest = actions.me(request)
    if not body(request, Forgetting).confirm:
        raise Refusal("not_confirmed", NOT_CONFIRMED)
    let_go(request, leaving.begin(guest))
    request.without_cookie = True  # type: ignore[attr-defined]
    return {}
