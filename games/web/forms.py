"""The form for creating a match."""

from typing import Any

from django import forms

from games.catalogue import KITS
from games.models import Match
from games.solver import LEVELS

# The default is an opponent you can beat.
USUAL_LEVEL = "casual"


class NewMatchForm(forms.Form):
    game = forms.ChoiceField(choices=[(slug, kit.name) for slug, kit in KITS.items()])
    device = forms.ChoiceField(
        choices=[(where, "") for where in ("link", "same", "computer")], required=False
    )
    level = forms.ChoiceField(choices=[(slug, "") for slug in LEVELS], required=False)
    starts = forms.ChoiceField(
        choices=[(who, "") for who in ("lot", "me", "friend")], required=False
    )
    # Empty means the default for this kind of match.
    pace = forms.ChoiceField(choices=Match.Pace.choices, required=False)
    listed = forms.BooleanField(required=False)
    size = forms.ChoiceField(
        choices=[(size.slug, "") for kit in KITS.values() for size in kit.sizes], required=False
    )

    def settings(self) -> dict[str, Any]:
        """Return the choices as arguments for `services.create_match`."""
        chosen = self.cleaned_data
        return {
            "game": chosen["game"],
            "same_device": chosen["device"] == "same",
            "computer": (chosen["level"] or USUAL_LEVEL) if chosen["device"] == "computer" else "",
            "starts": chosen["starts"] or "lot",
            "listed": chosen["listed"],
            "pace": chosen["pace"],
            "options": dict(KITS[chosen["game"]].options_of(chosen["size"])),
        }
