"""What kernels keep jobs and times in: queues, lines, trees, heaps, packings."""
