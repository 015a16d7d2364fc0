"""Wires the site together: settings, URLs, and the entry point for the server."""
