"""Static files under names that hold their hash, so that browsers keep them for ever.

Imports between our ES modules are rewritten too: a page never mixes two versions.
"""

from whitenoise.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    support_js_module_import_aggregation = True
