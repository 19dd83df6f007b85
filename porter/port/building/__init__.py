"""`porter convert --build`: ports are compiled as they were written, and errors come to the lines of the source."""
