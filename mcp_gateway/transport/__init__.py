"""MCP over Streamable HTTP and over standard input and output."""
