"""The tools, one module for each subject. Each module ends with TOOLS; server.py joins them."""
