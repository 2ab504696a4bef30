"""One class per need."""

from zerowait.model import Jobs
from zerowait.model.quantities import refuse
from zerowait.traces.classes.base import Ints, register


@register("exact")
def exact(jobs: Jobs, distinct: Ints, option: str) -> Ints:
    """Every need as it is."""
    if option:
        raise refuse("classes", f"exact={option}", "exact takes no value")
    return distinct
