"""Translations of what the rules, the solver and the server say."""
