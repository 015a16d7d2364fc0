"""Matches as they are stored: guests, names, every read and every write."""
