"""Static files under names that hold their hash, so that browsers keep them for ever.

Imports between our ES modules are rewritten too: a page never mixes two versions, and never loads
a module under two names.
"""

from whitenoise.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)

# Django's own patterns want a semicolon after each import; our modules have none.
IMPORT = (
    r"""(?m)(?P<matched>(?:^|(?<=;))(?P<head>(?:import|export)\s*(?:[^'"()=]*?\bfrom\s*)?)"""
    r"""['"](?P<url>\.[^'"]+)['"])"""
)
LATER = r"""(?P<matched>\bimport\(['"](?P<url>\.[^'"]+)['"]\))"""
BESIDE = r"""(?P<matched>new URL\(['"](?P<url>\.[^'"]+)['"], import\.meta\.url\))"""


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
