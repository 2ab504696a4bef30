"""Intervals for means: groups of jobs, and weeks of a log."""
