"""The Django app. It starts nothing: what lives with the process is in config/process.py."""

from django.apps import AppConfig


class McpGatewayConfig(AppConfig):
    name = "mcp_gateway"
    verbose_name = "MCP gateway"
