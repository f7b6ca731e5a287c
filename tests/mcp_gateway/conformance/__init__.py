"""The server that the conformance suite calls: `python -m` this package, on our mount."""
