"""Sweeps: many configurations of a case, each built once, timed or predicted on each shape, here or on a cluster."""
