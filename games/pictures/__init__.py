"""Draws pictures on the server: canvas, colours, the site's icon, and shared parts of boards."""
