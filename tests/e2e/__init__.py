"""Tests with a real browser and the real server."""
