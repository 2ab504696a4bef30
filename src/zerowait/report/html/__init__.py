"""Documents as pages: one file each that needs no network."""
