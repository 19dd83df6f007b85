"""What the compiled code says about its speed: registers, occupancy, the mix of instructions, counts of a run."""
