"""Handles the messages that other processes send over the relay."""

import time
from typing import Any

from games.live.convergence import Convergence
from games.live.events import Concern
from games.live.hub import Hub
from games.live.lobby import Lobby
from games.live.notices import Notices
from games.live.sign_outs import SignOuts
from games.matches.selectors import StoredAction


class Elsewhere:
    def __init__(
        self,
        hub: Hub,
        convergence: Convergence,
        lobby: Lobby,
        notices: Notices,
        sign_outs: SignOuts,
    ) -> None:
        self.hub, self.convergence, self.lobby = hub, convergence, lobby
        self.notices, self.sign_outs = notices, sign_outs

    def hear(self, kind: str, who: str, data: Any) -> None:
        """Handle one message from the relay; `who` is the process that sent it."""
        if kind == "actions":
            match_id, actions = data
            self._take_over(match_id, [StoredAction(*action) for action in actions])
        elif kind == "reaction":
            self.hub.show_reaction(*data)
        elif kind == "changed":
            self.hub.refresh_soon(data)
        elif kind == "concern":
            match_id, guests = data
            self.hub.events.concerned(Concern(match_id, tuple(guests)))
        elif kind == "guest":
            self.hub.tasks.spawn(self.hub.show_guest(data))
        elif kind == "signed_out":
            self.sign_outs.apply(*data)
        elif kind == "presence":
            self.take_presence(who, data, time.monotonic())
        elif kind == "listed":
            self.lobby.take(who, data)
        elif kind == "where":
            here = self.notices.here(data)
            if here and self.hub.relay is not None:
                self.hub.relay.tell_here(here)
        elif kind == "here":
            self.notices.hear(data)
        elif kind == "back":
            # Redis was away, and the messages sent in the meantime are lost.
            self.hub.tasks.spawn(self.convergence.compare_all())

    def take_presence(self, who: str, matches: dict[str, Any], now: float) -> None:
        """Store what another process knows about presence. It sends this every second."""
        spectators = {match_id: count for match_id, (_, count) in matches.items()}
        for match_id in self.hub.others.take(who, spectators, now):
            self.hub.events.watched(match_id)
        for match_id, (ages, _) in matches.items():
            if live := self.hub.matches.get(match_id):
                heard = live.presence.heard_elsewhere
                for seat, age in ages.items():
                    heard[int(seat)] = max(heard.get(int(seat), 0.0), now - age)

    def _take_over(self, match_id: str, actions: list[StoredAction]) -> None:
        """Add actions that another process has committed."""
        live = self.hub.matches.get(match_id)
        if live is None:
            self.hub.events.changed_unseen(match_id)
            return
        loaded = live.loaded
        new = [action for action in actions if loaded and action.version > loaded.version]
        if loaded is None or live.loading or (new and new[0].version != loaded.version + 1):
            live.outdated = True
            if live.loading is None:
                self.hub.tasks.spawn(self.hub.refresh(live))
        elif new:
            self.hub.announce(live, live.show(loaded.replay(new)))
