"""What an agent's screen shows: layout, dialogs and state."""
