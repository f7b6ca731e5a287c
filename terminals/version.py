"""The version of webtmux, told by every door. Not that of a protocol: each door knows its own."""

VERSION = "0.1.0"
