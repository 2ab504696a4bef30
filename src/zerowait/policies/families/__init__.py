"""What several policies share; the policies themselves are one file each, a level up."""
