"""No help with a position that the same person is playing against somebody else right now.

This covers the matches loaded in this process. `docs/fairness.md` says what it can't prevent.
"""

from typing import Any

from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking.asking import Asker

BEING_PLAYED = Template(
    _(
        "You or somebody on your network is playing this very position against another person. "
        "There's no help with it until they have moved on."
    )
)


def check_help(hub: Hub, asker: Asker, slug: str, state: Any) -> None:
    """Raise a `Refusal` if this person, or somebody on their network, is playing this position."""
    for live in hub.matches.values():
        loaded = live.loaded
        # Almost always only the first two are looked at.
        if (
            loaded is not None
            and loaded.state == state
            and loaded.row.game == slug
            and loaded.is_live
            and not (loaded.row.same_device or loaded.has_computer)
            and _plays(live, asker)
        ):
            raise Refusal("no_hints", BEING_PLAYED(), 403)


def _plays(live: LiveMatch, asker: Asker) -> bool:
    assert live.loaded is not None
    row = live.loaded.row
    is_theirs = asker.guest_id is not None and asker.guest_id in (row.seat_1_id, row.seat_2_id)
    return is_theirs or any(socket.address == asker.network for socket in live.players)
