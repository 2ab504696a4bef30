"""A plan as configuration of a real scheduler, and the check that the scheduler does what it says."""
