"""Signing a browser in: the page, one-time codes, tokens, sessions and limits."""
