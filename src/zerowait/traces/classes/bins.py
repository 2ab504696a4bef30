"""Needs in bins that the user gives."""

import numpy as np

from zerowait.model import InputError, Jobs
from zerowait.traces.classes.base import Ints, register


@register("bins")
def bins(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """`bins=1/4/16`: up to 1, 2 to 4, 5 to 16; a class has the largest need found in its bin."""
    try:
        edges = np.array([int(part) for part in option.split("/")], dtype=np.int64)
    except (ValueError, OverflowError):
        edges = np.array([], dtype=np.int64)
    if edges.size == 0 or edges[0] < 1 or (np.diff(edges) <= 0).any():
        raise InputError(
            f"classes = 'bins={option}': give the largest need of each bin, ascending, as in "
            "bins=1/4/16/128"
        )
    if distinct[-1] > edges[-1]:
        raise InputError(
            f"classes = 'bins={option}': a job needs {distinct[-1]}; end the bins there or beyond"
        )
    # The last of the needs that share a bin.
    return distinct[np.searchsorted(distinct, edges, side="right") - 1][
        np.searchsorted(edges, distinct)
    ]
