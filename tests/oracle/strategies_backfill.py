"""Options of the `backfill` family for hypothesis, as users spell them."""

from hypothesis import strategies as st

from .naive import classes_of
from .strategies import Case, guessed, job_classes, job_lists, plain_cases, split_cases
from .strategies_preemptive import tight_split_cases, whole, with_needs

KINDS = ["arrival", "need", "estimate", "area", "table", "formula", "by class"]

# Near the waits of the cases, so that they count; with units, so that these count too.
moments = ["0", "1", "2", "3", "5", "8", "12", "20", "0.1min", "0.25min", "0.001h", "0.0001d", "3d"]
reserve_afters = st.sampled_from([None, None, *moments, "never"])
allowances = st.sampled_from(["0", "0", "1", "-1", "4", "10", "-10", "2.5", "0.1min", "-0.002h"])
patiences = st.sampled_from(["0", "0.5", "2", "5", "20", "0.1min", "10h"])
weights = st.sampled_from([None, None, "0", "1", "2", "0.5", "-1"])


formulas = st.fixed_dictionaries(
    {
        "order": st.just("due"),
        "patience": patiences,
        "need_weight": weights,
        "time_weight": weights,
    }
)


@st.composite
def orders(draw: st.DrawFn, kind: str, case: Case) -> dict[str, str | None]:
    """Options that make an order of this kind; None where one is left out."""
    if kind == "arrival":
        return {"order": draw(st.sampled_from(["arrival", None]))}
    if kind == "table":
        n = max(classes_of(case.jobs, case.job_class)) + 1
        table = draw(st.lists(allowances, min_size=n, max_size=n))
        return {"order": "due", "allowance": "/".join(table)}
    if kind == "formula":
        return draw(formulas)
    if kind == "by class":
        named = st.sampled_from(["estimate", "area"]).map(lambda order: {"order": order})
        return draw(st.one_of(named, formulas)) | {"by": "class"}
    return {"order": kind}


@st.composite
def spellings(draw: st.DrawFn, kind: str, case: Case) -> str:
    """`backfill` with an order of this kind."""
    options = draw(orders(kind, case)) | {"reserve_after": draw(reserve_afters)}
    given = (f"{key}={value}" for key, value in options.items() if value is not None)
    return ",".join(["backfill", *given])


@st.composite
def queueing_cases(draw: st.DrawFn) -> Case:
    """Hardly more servers than the largest need, and twice the service: most jobs wait."""
    jobs = draw(job_lists().filter(lambda jobs: len(jobs) >= 8))
    jobs = [(arrival, need, 2 * service) for arrival, need, service in jobs]
    servers = max(need for _, need, _ in jobs) + draw(st.integers(0, 3))
    return Case(jobs, servers, draw(job_classes(jobs)))


@st.composite
def narrow_split_cases(draw: st.DrawFn) -> Case:
    """For bs: the largest jobs fit into their own servers only, and stand in the helpers' queue."""
    needs = draw(st.sampled_from([(1, 2, 4), (1, 2, 5), (2, 3, 4)]))
    jobs = with_needs(draw(queueing_cases()).jobs, list(needs))
    slots = [draw(st.integers(0, 1)), draw(st.integers(0, 1)), draw(st.integers(1, 2))]
    present = sorted({need for _, need, _ in jobs})
    slots = [slots[needs.index(need)] for need in present]
    own_servers = sum(s * need for s, need in zip(slots, present, strict=True))
    helpers = draw(st.integers(needs[1], needs[2] - 1))
    return Case(jobs, own_servers + helpers, None, slots)


@st.composite
def spelled_cases(draw: st.DrawFn, kind: str, split: str = "") -> tuple[str, Case]:
    """A policy and a case for it, with estimates of all sorts; `split` is bs, mbs or nothing."""
    cases = st.one_of(plain_cases(), queueing_cases(), queueing_cases())
    if split == "mbs":
        cases = st.one_of(split_cases(modified=True), tight_split_cases())
    if split == "bs":
        others = narrow_split_cases(), tight_split_cases()
        cases = st.one_of(split_cases(modified=False), *others)
    case = draw(guessed(cases))
    # In whole seconds a sum is exact, and so a class's mean the same however it is added up.
    if kind == "by class":
        case = whole(case)
    policy = draw(spellings(kind, case))
    return (f"{split}:{policy}" if split else policy), case


@st.composite
def crowds(draw: st.DrawFn) -> Case:
    """One large job in a stream of small ones of which some always run, at any load.

    At least two small jobs fit at once, and start at different times. The large job is the second
    of the list, and does not fit beside one of them. Classes are by need.
    """
    need = draw(st.integers(1, 3))
    servers = draw(st.integers(2 * need, 3 * need + 2))
    gap = draw(st.integers(1, 3))
    service = float(gap + draw(st.integers(1, 5)))
    small = [(float(gap * i), need, service) for i in range(40)]
    large = (0.5, draw(st.integers(servers - need + 1, servers)), float(draw(st.integers(1, 9))))
    return Case([small[0], large, *small[1:]], servers)
