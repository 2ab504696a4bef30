"""The movie: a small schedule step by step, with the rule that fired at each in words."""

from zerowait.explore.movie.movie import Movie, movie
from zerowait.explore.movie.recorder import Step
from zerowait.explore.movie.stage import MOST_JOBS, MOST_SERVERS, Stage, log_stage, workload_stage

__all__ = [
    "MOST_JOBS",
    "MOST_SERVERS",
    "Movie",
    "Stage",
    "Step",
    "log_stage",
    "movie",
    "workload_stage",
]
