"""Attacks on the safety promises of docs/security.md: one module per promise."""
