"""Workloads made of logs: families of laws, how well they fit, which are taken."""
