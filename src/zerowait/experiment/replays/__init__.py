"""Logs and lists of jobs run under a policy."""
