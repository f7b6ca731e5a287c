"""Who says what an agent is doing: its hooks, its journal, its screen and its process."""
