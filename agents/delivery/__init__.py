"""Sends prompts and answers to agents, and verifies that they arrived."""
