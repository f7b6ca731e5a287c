"""The chat of windows: recorded, stored, searched, and read as a conversation."""
