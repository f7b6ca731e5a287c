"""Scripted stand-ins for the real agents: small terminal programs, standard library only.

They think nothing. They read keys and paint as the real ones do, and write what was submitted.
"""
