"""Proves a port against PyTorch and times it: cases, backends, comparison, benchmark."""
