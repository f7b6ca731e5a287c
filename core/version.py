"""The version of webtmux. Each protocol defines its version where it is implemented. Pure."""

VERSION = "0.1.0"
