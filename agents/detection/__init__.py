"""Which agent runs in which pane."""
