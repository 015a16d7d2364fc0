"""Everything the rest of the site asks about one game."""
