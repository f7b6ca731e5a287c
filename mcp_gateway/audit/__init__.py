"""The audit log of tool calls and writes."""
