"""Static files under names that hold their hash, so that browsers keep them for ever.

Imports between our ES modules are rewritten too: a page never mixes two versions, and never loads
a module under two names.
"""

import re

from django.core.files.base import ContentFile, File
from whitenoise.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)

from config.slimming import without_comments

# Django's own patterns want a semicolon after each import; our modules have none.
IMPORT = (
    r"""(?m)(?P<matched>(?:^|(?<=;))(?P<head>(?:import|export)\s*(?:[^'"()=]*?\bfrom\s*)?)"""
    r"""['"](?P<url>\.[^'"]+)['"])"""
)
LATER = r"""(?P<matched>\bimport\(['"](?P<url>\.[^'"]+)['"]\))"""
BESIDE = r"""(?P<matched>new URL\(['"](?P<url>\.[^'"]+)['"], import\.meta\.url\))"""

# Under their hash, and ours: libraries are packed already, and keep their licences.
OURS = re.compile(r"^(?!lib/|admin/|ninja/).*\.[0-9a-f]{12}\.js$")


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # One for each step of the longest chain of imports, and one to see that nothing changes.
    max_post_process_passes = 20
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            "*.js",
            (
                (IMPORT, '%(head)s"%(url)s"'),
                (LATER, 'import("%(url)s")'),
                (BESIDE, 'new URL("%(url)s", import.meta.url)'),
            ),
        ),
    )

    def _save(self, name: str, content: "File[bytes]") -> str:
        if OURS.match(name.replace("\\", "/")):
            content.seek(0)
            content = ContentFile(without_comments(content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved
