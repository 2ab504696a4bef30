"""Search the parameters of policies for an objective, under constraints."""
