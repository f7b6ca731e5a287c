"""Notes as JSON files: import and export."""
