"""Small systems with exponential service, solved exactly as Markov chains."""

from zerowait.analysis.chain.small_system import ExactMeasures, ExactResult, solve_exactly

__all__ = ["ExactMeasures", "ExactResult", "solve_exactly"]
