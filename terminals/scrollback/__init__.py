"""The text of a pane: read, read incrementally, searched, stripped of escape sequences."""
