"""Measurements; `docs/performance.md` has what they gave."""
