"""What a simulation or a replay returns: measures, and the single jobs."""
