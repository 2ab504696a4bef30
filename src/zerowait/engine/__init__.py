"""The compiled core: the event loop, seats, queues, statistics, and the compiler that joins them."""
