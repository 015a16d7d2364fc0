"""Benchmarks. `docs/performance.md` has their results."""
