"""Bounded execution: a command typed into a pane's shell, with its exact output and exit code."""
