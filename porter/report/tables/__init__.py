"""Timings, sweeps, predictions and verdicts as tables and charts of their own."""
