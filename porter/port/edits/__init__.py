"""From findings to the text of a port: which sites are accepted, the edits with their includes and comments, and the
rewrite that applies them."""
