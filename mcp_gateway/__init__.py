"""mcp_gateway: MCP over the three apps below, and the tokens that admit its callers."""
