"""A plan as files for Slurm."""
