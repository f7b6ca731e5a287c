"""What the conformance suite calls; `python -m` this package serves it on our own mount."""
