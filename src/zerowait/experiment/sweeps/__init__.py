"""Many points: sweeps, where they run, and the folder of their results."""
