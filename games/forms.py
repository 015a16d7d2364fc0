"""What people choose on the pages before a match."""

from collections.abc import Mapping
from typing import Any

from django import forms

from games.rules import GAMES

# The one larger size that the pages offer; programs may choose any within the rules' limits.
LARGER: Mapping[str, Mapping[str, Any]] = {
    "number-blossoms": {"pool": 15},
    "number-tower-duel": {"pool": 20},
    "chain-factor": {"pool": 20},
    "number-collapse": {"size": 4},
    "number-eliminator": {"pool": 20},
}


class NewMatchForm(forms.Form):
    game = forms.ChoiceField(choices=[(slug, game.name) for slug, game in GAMES.items()])
    device = forms.ChoiceField(choices=[("link", ""), ("same", "")], required=False)
    starts = forms.ChoiceField(
        choices=[(who, "") for who in ("lot", "me", "friend")], required=False
    )
    listed = forms.BooleanField(required=False)
    size = forms.ChoiceField(choices=[("classic", ""), ("larger", "")], required=False)

    def settings(self) -> dict[str, Any]:
        """The choices as `services.create_match` takes them."""
        chosen = self.cleaned_data
        return {
            "game": chosen["game"],
            "same_device": chosen["device"] == "same",
            "starts": chosen["starts"] or "lot",
            "listed": chosen["listed"],
            "options": dict(LARGER[chosen["game"]]) if chosen["size"] == "larger" else {},
        }


class JoinForm(forms.Form):
    name = forms.CharField(required=False)
