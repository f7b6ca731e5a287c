"""The Django app. It starts nothing: see config/server/lifecycle.py."""

from django.apps import AppConfig


class McpGatewayConfig(AppConfig):
    name = "mcp_gateway"
    verbose_name = "MCP gateway"
