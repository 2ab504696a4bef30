"""Workloads simulated: a run prepared, its replications, its length."""
