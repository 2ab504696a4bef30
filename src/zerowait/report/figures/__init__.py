"""Figures: what they have in common, and those of results and logs; the paper's are in `paper`."""
