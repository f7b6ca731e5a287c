"""The admin pages of notes. Django imports this package, which registers them."""

from notes.admin import sheets as sheets
