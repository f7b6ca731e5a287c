"""Hooks: agents report what they do through a small script to a unix socket of webtmux."""
