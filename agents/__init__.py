"""agents: AI agents in panes, and what was said."""
