"""`porter verify` from paths to verdicts: a session gives jobs to workers, which are processes of their own."""
