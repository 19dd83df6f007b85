"""One run of a case: where its memory lies, what its outputs are held to, and what an original's run left behind."""
