"""Fake agents: small scripted terminal programs that use only the standard library.

They read keys and paint screens as the real agents do, and log every prompt that was submitted.
"""
