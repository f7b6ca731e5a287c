"""Fails a test during which the event loop was held: see loop.py, plugin.py and site/."""
