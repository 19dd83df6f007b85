"""The facts of a report, derived once: findings and places of a conversion (summary.py), verdicts of runs (proof.py)."""
