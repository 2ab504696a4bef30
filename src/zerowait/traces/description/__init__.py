"""What a log tells about itself, one subject per file."""
