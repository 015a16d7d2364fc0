"""The site's wiring: settings, addresses, and the entry point for the server."""
