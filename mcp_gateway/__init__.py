"""The MCP server for the other apps, the audit log, and access tokens."""
