"""Tables as data: what stands in them. Terminals, pages and notebooks draw them."""
