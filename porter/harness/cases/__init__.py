"""What a case says: its inputs, its entry's arguments, and whether an output is right.

A case is loaded in a process of its own (apart.py). Nothing here builds or runs a kernel."""
