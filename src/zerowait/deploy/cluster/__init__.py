"""A real Slurm, started on this machine for the purpose and sure to be stopped."""
