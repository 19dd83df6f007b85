"""From a case to a library that can be called.

build.py converts the source where there is no port, writes the shim around the entry and compiles it. Entries are
functions of C or, with torch's headers, functions that Python calls."""
