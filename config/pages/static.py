"""Static files with a hash in their names, so that browsers can cache them forever.

Vite puts the hash into the names of our modules and stylesheets, and into the imports between
them. The other files (the admin's, the API documentation's, icons) get theirs here.
"""

from whitenoise.storage import (
    CompressedManifestStaticFilesStorage,
)

BUILT = "build/"  # `assetsDir` of vite.config.ts


class Storage(CompressedManifestStaticFilesStorage):
    def file_hash(self, name: str | None, content: object = None) -> str | None:
        """A second hash would load a module twice: under this name and the one of its imports."""
        if name is not None and name.replace("\\", "/").startswith(BUILT):
            return None
        hashed: str | None = super().file_hash(name, content)
        return hashed
