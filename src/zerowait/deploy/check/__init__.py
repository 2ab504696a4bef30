"""Scenarios in which a real Slurm shows whether it does what a plan's files promise."""
