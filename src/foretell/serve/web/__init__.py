"""The server: HTTP API, pages, sessions."""
