"""What people choose on the pages before a match."""

from collections.abc import Mapping
from typing import Any

from django import forms

from games.rules import GAMES
from games.solver import LEVELS

# The one larger size that the pages offer; programs may choose any within the rules' limits.
LARGER: Mapping[str, Mapping[str, Any]] = {
    "number-blossoms": {"pool": 15},
    "number-tower-duel": {"pool": 20},
    "chain-factor": {"pool": 20},
    "number-collapse": {"size": 4},
    "number-eliminator": {"pool": 20},
}
# Who does not choose meets an opponent that can be beaten.
USUAL_LEVEL = "casual"


class NewMatchForm(forms.Form):
    game = forms.ChoiceField(choices=[(slug, game.name) for slug, game in GAMES.items()])
    device = forms.ChoiceField(
        choices=[(where, "") for where in ("link", "same", "computer")], required=False
    )
    level = forms.ChoiceField(choices=[(slug, "") for slug in LEVELS], required=False)
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
            "computer": (chosen["level"] or USUAL_LEVEL) if chosen["device"] == "computer" else "",
            "starts": chosen["starts"] or "lot",
            "listed": chosen["listed"],
            "options": dict(LARGER[chosen["game"]]) if chosen["size"] == "larger" else {},
        }


class JoinForm(forms.Form):
    name = forms.CharField(required=False)
