"""Stored matches: guests, names, and all reads and writes of the database."""
