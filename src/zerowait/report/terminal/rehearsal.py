"""A rehearsal in a few lines: what was predicted and what happened."""

from typing import Any

from zerowait.experiment.schedules.twin_run import Band, TwinRun, Twins
from zerowait.report.numbers import duration


def show_twins(twins: Twins) -> None:
    for one in (twins.baseline, twins.choice):
        band = one.wait_band
        print(one.policy)
        print(f"  mean wait    real {duration(float(one.waits.mean()))}, predicted "
              f"{duration(band.low)} to {duration(band.high)}")  # fmt: skip
        print(f"  jobs         {one.n_jobs_ended} of {len(one.waits)} ended, "
              f"{_times(one.restarts)} restarted")  # fmt: skip
        print(f"  order        {_order(one)}")
    band = twins.ratio_band
    verdict = "within" if band.holds(twins.ratio) else "NOT within"
    print(f"plan / baseline, mean wait: real {twins.ratio:.3f}, {verdict} the predicted "
          f"{band.low:.3f} to {band.high:.3f}")  # fmt: skip


def _times(n: int) -> str:
    return "controller not" if n == 0 else "controller once" if n == 1 else f"controller {n} times"


def _order(one: TwinRun) -> str:
    broken = one.violations
    moved = f"{len(one.out_of_order)} jobs out of the predicted order, each with a reason"
    return f"{moved}; {len(broken)} against the rules" + (":" if broken else "") + "".join(
        f"\n               job {each.job} passed job {each.passed}, which {each.reason}"
        for each in broken
    )  # fmt: skip


def twins_dict(twins: Twins) -> dict[str, Any]:
    return {
        "baseline": _run_dict(twins.baseline),
        "choice": _run_dict(twins.choice),
        "ratio": {
            "real": twins.ratio,
            "predicted": _band_dict(twins.ratio_band),
            "without_delays": twins.ideal_ratio,
            "within": twins.ratio_band.holds(twins.ratio),
        },
    }


def _run_dict(one: TwinRun) -> dict[str, Any]:
    return {
        "policy": one.policy,
        "wait": {
            "real": float(one.waits.mean()),
            "predicted": _band_dict(one.wait_band),
            "without_delays": float(one.ideal_waits.mean()),
        },
        "ended": one.n_jobs_ended,
        "restarts": one.restarts,
        "out_of_order": len(one.out_of_order),
        "violations": [
            {"job": each.job, "passed": each.passed, "reason": each.reason}
            for each in one.violations
        ],
    }


def _band_dict(band: Band) -> dict[str, float]:
    return {"low": band.low, "middle": band.middle, "high": band.high}
