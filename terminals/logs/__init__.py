"""Durable logs of panes: the writer process, the worker that enforces limits, and the services."""
