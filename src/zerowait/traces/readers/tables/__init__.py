"""Tables of jobs with named columns."""
