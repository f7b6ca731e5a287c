"""tmux: its driver, projects and windows, recordings, uploads, and the socket at /ws."""
