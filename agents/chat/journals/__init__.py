"""The journals that agents keep of their conversations: found, followed, parsed and stored."""
