"""The secrets that webtmux issues: access tokens and links to shared recordings. Pure.

Only their hashes are stored.
"""

import hashlib
import secrets

# A fixed prefix, so that a leaked secret can be recognised. config/logs.py removes every word that
# begins with it from the log.
PREFIX = "wtx_"
BYTES = 32


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(BYTES)


def hash_secret(secret: str) -> str:
    # 256 random bits cannot be guessed, so they need no salt and no slow hash.
    return hashlib.sha256(secret.encode()).hexdigest()
