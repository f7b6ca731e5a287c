"""Checks of our own that `make lint` runs besides ruff, mypy and import-linter."""
