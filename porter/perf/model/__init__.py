"""The model of time: cycles of a kernel on the chip, from what its waves do in the emulator (docs/guides/time.md)."""
