"""A stretch of a log on a real Slurm, with time made to run fast."""
