"""The server process: daphne's protocols, start and stop, static files, discovery."""
