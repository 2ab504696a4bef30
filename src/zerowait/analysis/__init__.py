"""What can be known without simulating."""
