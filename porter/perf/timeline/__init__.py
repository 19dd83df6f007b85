"""What each wave of a compute unit did in each cycle, measured or predicted: read, summed up, drawn and compared."""
