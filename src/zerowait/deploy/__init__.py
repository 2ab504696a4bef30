"""A plan as configuration of a real scheduler, and the check that it does what the plan says."""
