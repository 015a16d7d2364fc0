"""Pictures drawn on the server: positions for link previews, and the site's icon."""

from games.pictures.cards import SIZE, card_png, site_png
from games.pictures.icons import icon_png

__all__ = ["SIZE", "card_png", "icon_png", "site_png"]
