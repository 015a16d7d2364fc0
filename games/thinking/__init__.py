"""The solver's work for live matches: hints, reviews and the computer's moves."""
