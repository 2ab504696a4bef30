"""Schedules as Gantt charts: which servers each job held, and when."""
