"""Runs the site: daphne or uvicorn, static files, and locks between processes."""
