"""Measurements. A timing is a ratio inside one run: the machines are shared and noisy."""
