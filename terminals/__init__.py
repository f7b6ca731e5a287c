"""terminals: tmux, the socket, and what every app shares."""
