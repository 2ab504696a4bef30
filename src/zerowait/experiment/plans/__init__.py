"""From a log to a decision: what to change on a cluster, what it gains, and who loses."""
