"""What kernels add up, and what is read off the sums."""
