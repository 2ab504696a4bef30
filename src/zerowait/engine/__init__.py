"""The compiled core: event loop, seats, queues, statistics, and the compiler that joins them."""
