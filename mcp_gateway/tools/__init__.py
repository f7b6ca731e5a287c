"""The tools of the gateway, one module for each subject; each ends with its TOOLS."""
