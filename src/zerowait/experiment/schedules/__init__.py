"""Schedules of a real scheduler: what it will do, what it did, and whether by its rules."""
