"""Waiting for output or for a state of windows."""
