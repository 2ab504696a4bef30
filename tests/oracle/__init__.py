"""The naive twin of the engine, and the tests that hold the two equal."""
