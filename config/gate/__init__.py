"""The gate in front of every route: who may talk to the server."""
