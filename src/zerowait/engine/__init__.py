"""The compiled core: event loops, seats, queues, statistics, and the compiler that joins them."""
