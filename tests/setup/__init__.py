"""Set-up: what `make run` does on a machine that never saw webtmux."""
