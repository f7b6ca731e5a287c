"""Recordings of panes as asciicast files."""
