"""Seconds as people read them."""

UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))


def duration(seconds: float | None) -> str:
    """`3.2 d`, `14 h`, `7.5 min`, `12 s`; a dash where there is none."""
    if seconds is None or seconds != seconds:
        return "–"
    for size, unit in UNITS:
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
