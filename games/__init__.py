"""Numgames: two-player number games, their rules and the site around them."""
