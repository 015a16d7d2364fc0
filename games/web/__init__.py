"""The pages, the HTTP API and link previews."""
