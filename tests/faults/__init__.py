"""Tests that cause the faults of a real deployment in real processes."""
