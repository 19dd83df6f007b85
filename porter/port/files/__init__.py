"""Ports on the disk: headers from elsewhere, files written whole or not at all, and what a person changed in them."""
