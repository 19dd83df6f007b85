"""What the stages before the rewrite make of a project's sources: faithful ports, ports at wave width, native schedules,
kernels in string literals, and registers that a port does not have."""
