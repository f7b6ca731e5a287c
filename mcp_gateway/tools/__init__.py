"""The tools, one module for each subject; each ends with TOOLS, which server.py joins."""
