"""Real browsers against the real server."""
