"""The stages before the rewrite: faithful ports, ports at wave width, native schedules, kernels in string literals, and
register budgets."""
