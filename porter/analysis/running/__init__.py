"""Which functions of a translation unit run."""
