"""Words of policies that pause jobs: by whom they serve first."""

from zerowait.engine.policy import Policy
from zerowait.engine.seats import remaining_of
from zerowait.engine.structures.queues import Boundary
from zerowait.explore.movie.words.base import Words, speaks_for
from zerowait.explore.movie.words.place import Place
from zerowait.policies.divisor_filling import (
    DivisorFilling,
    DivisorFillingGittins,
    DivisorFillingSrpt,
)
from zerowait.policies.families.srpt import Srpt
from zerowait.policies.first_fit_srpt import FirstFitSrpt
from zerowait.policies.least_servers_first import LeastServersFirst
from zerowait.policies.maxweight import Maxweight
from zerowait.policies.most_servers_first import MostServersFirst
from zerowait.policies.server_filling import ServerFilling, ServerFillingGittins, ServerFillingSrpt

# In which order the filling policies choose whom they serve.
ORDERS: dict[type[Policy], str] = {
    ServerFilling: "in order of arrival",
    ServerFillingSrpt: "by remaining size",
    ServerFillingGittins: "by Gittins rank x need",
    DivisorFilling: "in order of arrival",
    DivisorFillingSrpt: "by remaining size",
    DivisorFillingGittins: "by Gittins rank x need",
}


def _order_of(policy: Policy) -> str:
    return next(ORDERS[kind] for kind in type(policy).__mro__ if kind in ORDERS)


@speaks_for(MostServersFirst, LeastServersFirst)
class ByNeedWords(Words):
    def starts(self, place: Place, job: int) -> str:
        return f"{_by(place)}, each that fits: it needs {place.need(job)}"

    def pauses(self, place: Place, job: int) -> str:
        return f"{_by(place)}: those before it leave fewer than the {place.need(job)} it needs"

    def waits(self, place: Place) -> str:
        return place.nobody_fits


def _by(place: Place) -> str:
    largest = isinstance(place.policy, MostServersFirst)
    return f"by need, {'largest' if largest else 'smallest'} first"


@speaks_for(Srpt)
class SrptWords(Words):
    def starts(self, place: Place, job: int) -> str:
        return f"{self._order(place)}: it has {self._left(place, job)} left"

    def pauses(self, place: Place, job: int) -> str:
        return f"{self._order(place)}: it has {self._left(place, job)} left, and others come first"

    def waits(self, place: Place) -> str:
        if isinstance(place.policy, FirstFitSrpt):
            return place.nobody_fits
        least = "of those who wait the one with the least left does not fit, and blocks the rest"
        return f"{place.idle_words}; {least}"

    def _order(self, place: Place) -> str:
        what = "size (time x need)" if _by_size(place.policy) else "time"
        skips = isinstance(place.policy, FirstFitSrpt)
        until = "skipping what does not fit" if skips else "up to the first that does not fit"
        return f"least remaining {what} first, {until}"

    def _left(self, place: Place, job: int) -> str:
        left = place.telling.length(float(remaining_of(place.jobs, job)))
        return f"{left} x {place.need(job)}" if _by_size(place.policy) else left


def _by_size(policy: Policy) -> bool:
    return not isinstance(policy, FirstFitSrpt) or policy.key == "size"


@speaks_for(Maxweight)
class MaxweightWords(Words):
    def starts(self, place: Place, job: int) -> str:
        return f"it is in the packing that weighs most: {self._packing(place)}"

    def pauses(self, place: Place, job: int) -> str:
        return f"the packing that weighs most is another one: {self._packing(place)}"

    def waits(self, place: Place) -> str:
        return f"{place.idle_words}: the packing that weighs most leaves those out who wait"

    def _packing(self, place: Place) -> str:
        state = place.state
        counts = zip(state.packing.counts, state.needs, state.present, strict=True)
        parts = [f"{x} of need {need} (weight {q})" for x, need, q in counts if x]
        return ", ".join(parts)


@speaks_for(ServerFilling, ServerFillingSrpt, ServerFillingGittins)
class ServerFillingWords(Words):
    def starts(self, place: Place, job: int) -> str:
        if _chosen(place).total[0] < place.servers:
            return self._told(place)
        need = place.need(job)
        return f"{self._told(place)}; of these by need, largest first: it needs {need}"

    def pauses(self, place: Place, job: int) -> str:
        if _chosen(place).inside[job]:
            return f"{self._told(place)}, and of these others with larger needs go first"
        return f"{self._told(place)}, and it is not among them"

    def waits(self, place: Place) -> str:
        return f"{place.idle_words}; {self._told(place)}, and of these the largest go first"

    def _told(self, place: Place) -> str:
        chosen = _chosen(place)
        count, total = int(chosen.n_inside.sum()), int(chosen.total[0])
        if total < place.servers:
            return f"all {count} jobs fit on {place.servers} {place.noun}"
        order = _order_of(place.policy)
        return f"the first {count} {order} need {total} of {place.servers} {place.noun}"


def _chosen(place: Place) -> Boundary:
    """M of a filling policy."""
    chosen: Boundary = getattr(place.state, "ranked", place.state).chosen
    return chosen


@speaks_for(DivisorFilling, DivisorFillingGittins)
class DivisorFillingWords(Words):
    def starts(self, place: Place, job: int) -> str:
        return f"it is in {self._chosen(place)}"

    def pauses(self, place: Place, job: int) -> str:
        return f"it is not in {self._chosen(place)}"

    def waits(self, place: Place) -> str:
        return f"{place.idle_words}: those who wait are not in {self._chosen(place)}"

    def _chosen(self, place: Place) -> str:
        order = _order_of(place.policy)
        return (
            f"the earliest set that fills the {place.servers} {place.noun}, "
            f"of the first {place.servers} jobs {order}"
        )
