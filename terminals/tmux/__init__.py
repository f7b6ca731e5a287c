"""The tmux driver. Outside of this package only `driver` and `rows` are imported."""
