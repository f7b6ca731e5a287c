"""Checks of our own that `make lint` runs beside ruff, mypy and import-linter."""
