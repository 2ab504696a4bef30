"""The explorer: a page in the browser over the engine on this machine."""
