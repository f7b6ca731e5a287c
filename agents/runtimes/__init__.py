"""One TOML file for each agent runtime, and the loader that checks them."""
