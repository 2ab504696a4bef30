"""What Slurm writes about its jobs."""
