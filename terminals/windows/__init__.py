"""Sessions, windows, panes and managed tabs: targets, database rows, live state."""
