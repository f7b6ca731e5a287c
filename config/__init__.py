"""Settings, the gate, the server, and the composition of all apps. No app imports it."""
