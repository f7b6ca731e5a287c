"""AI agents in panes: detection, states, prompts and the chat of windows."""
