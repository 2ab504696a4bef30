"""Workloads as TOML files, and where in a file a mistake stands."""
