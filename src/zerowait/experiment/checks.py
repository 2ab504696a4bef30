"""What an option's value must be: accepted or refused by name, and told to editors as limits.

Nothing heavy is imported until a value is checked: `--help` reads the register of options.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    """Anything goes."""

    def __call__(self, name: str, value: Any) -> Any:
        """The value, as it is used; an InputError that names it and the remedy."""
        return value

    @property
    def limits(self) -> dict[str, Any]:
        """The same for the schema of files, so far as a schema can say it."""
        return {}


@dataclass(frozen=True)
class Whole(Check):
    """A whole number."""

    least: int = 1
    most: int | None = None

    def __call__(self, name: str, value: Any) -> int:
        from zerowait.model.quantities import refuse, whole

        number = whole(name, value, self.least)
        if self.most is not None and number > self.most:
            raise refuse(name, value, f"must be {self.most} or fewer")
        return number

    @property
    def limits(self) -> dict[str, Any]:
        return {"ge": self.least} | ({} if self.most is None else {"le": self.most})


@dataclass(frozen=True)
class Number(Check):
    """A finite number between bounds, or the one word that may stand for it."""

    remedy: str
    above: float | None = None
    least: float | None = None
    below: float | None = None
    word: str | None = None

    def __call__(self, name: str, value: Any) -> float | str:
        from zerowait.model.quantities import finite, refuse

        if self.word is not None and value == self.word:
            return self.word
        number = finite(name, value, self.remedy)
        if (
            (self.above is not None and number <= self.above)
            or (self.least is not None and number < self.least)
            or (self.below is not None and number >= self.below)
        ):
            raise refuse(name, value, self.remedy)
        return number

    @property
    def limits(self) -> dict[str, Any]:
        if self.word is not None:
            return {}
        bounds = {"gt": self.above, "ge": self.least, "lt": self.below}
        return {key: bound for key, bound in bounds.items() if bound is not None}


@dataclass(frozen=True)
class Switch(Check):
    """On or off; a text such as "no" would count as on."""

    def __call__(self, name: str, value: Any) -> bool:
        from zerowait.model.quantities import refuse

        if type(value).__name__ not in ("bool", "bool_"):  # NumPy's, which is not imported here
            raise refuse(name, value, "must be True or False")
        return bool(value)


@dataclass(frozen=True)
class Listening(Check):
    """A function, or nobody."""

    def __call__(self, name: str, value: Any) -> Any:
        from zerowait.model.quantities import refuse

        if value is not None and not callable(value):
            raise refuse(name, value, "must be a function, called with a number of jobs, or None")
        return value


@dataclass(frozen=True)
class OneOf(Check):
    """One of a few words."""

    words: tuple[str, ...]

    def __call__(self, name: str, value: Any) -> str:
        from zerowait.model.quantities import refuse

        if value not in self.words:
            raise refuse(name, value, f"must be one of {', '.join(self.words)}")
        return str(value)


@dataclass(frozen=True)
class MeasureName(Check):
    """A measure of simulations, or a quantile of one; or those of replays, too."""

    of_logs: bool = False

    def __call__(self, name: str, value: Any) -> str:
        from zerowait.experiment.measures import ESTIMATED, SIMULATED

        return OneOf(ESTIMATED if self.of_logs else SIMULATED)(name, value)


@dataclass(frozen=True)
class OverrunRule(Check):
    """What becomes of jobs that ran longer than estimated."""

    def __call__(self, name: str, value: Any) -> str:
        from zerowait.model.jobs import RULES

        return OneOf(RULES)(name, value)


@dataclass(frozen=True)
class Price(Check):
    """What a pause costs; as text, "0" where it is nothing."""

    def __call__(self, name: str, value: Any) -> str:
        from zerowait.policies.families.options import spell_number

        text = spell_number(value) if isinstance(value, (int, float)) else str(value).strip()
        return text if any(price_of(text, name)) else "0"


def price_of(text: str, name: str = "preemption_cost") -> tuple[float, float]:
    """The time that a pause costs, and the share of the service attained."""
    from zerowait.model.quantities import refuse
    from zerowait.policies.families.options import parse_number, parse_time

    try:
        share = text.endswith("%")
        value = parse_number(text[:-1]) / 100 if share else parse_time(text)
    except ValueError:
        value = -1.0
    if value < 0:
        raise refuse(name, text, "must be a time, zero or more, as in 3 or 5min, or a share: 10%")
    return (0.0, value) if share else (value, 0.0)


POSITIVE = Number("must be a finite number above zero", above=0.0)
PROBABILITY = Number("must be a probability, above 0 and below 1", above=0.0, below=1.0)
YES_OR_NO = Switch()
LISTENER = Listening()
SHARE_OF_JOBS = Number("must be a share of the jobs, at least 0 and below 1", least=0.0, below=1.0)
