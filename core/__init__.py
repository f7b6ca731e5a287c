"""What every app shares: errors, callers, database access, events. Imports no other app."""
