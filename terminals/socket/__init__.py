"""The WebSocket at /ws: one connection, its input, its output and its subscriptions."""
