"""config: the top: knows every app, known by none."""
