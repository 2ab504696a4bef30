"""Several policies on the same jobs: paired estimates, rankings."""
