"""Options, and the checks of their values: accepted, or refused by name.

Nothing heavy is imported until a value is checked: `--help` reads the register of options.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, get_args, get_origin


@dataclass(frozen=True)
class Check:
    """A check that accepts anything."""

    def __call__(self, name: str, value: Any) -> Any:
        """Return the value as it is used, or raise an InputError that names it and the remedy."""
        return value

    @property
    def limits(self) -> dict[str, Any]:
        """Return the same limits for the schema of files, as far as a schema can say them."""
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
    """Read the cost of a pause: a time, and a share of the service attained."""
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


@dataclass(frozen=True)
class Texts(Check):
    """One text, or several."""

    def __call__(self, name: str, value: Any) -> tuple[str, ...]:
        from zerowait.model.quantities import refuse

        several = [value] if isinstance(value, str) else value
        if not isinstance(several, Sequence) or not all(isinstance(one, str) for one in several):
            raise refuse(name, value, "must be a text, or a list of texts")
        return tuple(several)


@dataclass(frozen=True)
class Pairs(Check):
    """Texts by name: a mapping, or as the command line has them, `name=text` each."""

    def __call__(self, name: str, value: Any) -> dict[str, str]:
        from zerowait.model import InputError
        from zerowait.model.quantities import refuse

        if isinstance(value, Mapping):
            for key, text in value.items():
                if not isinstance(text, str):
                    raise refuse(f"{name}[{key!r}]", text, "must be a text, as '3' or '1:30'")
            return dict(value)
        found = {}
        for pair in Texts()(name, value):
            key, equals, text = pair.partition("=")
            if not equals or not text:
                shown = name.removesuffix("s")  # of the command line: --range
                raise InputError(f"{shown} {pair!r}: must be of the form option=value")
            found[key.strip()] = text.strip()
        return found


POSITIVE = Number("must be a finite number above zero", above=0.0)
PROBABILITY = Number("must be a probability, above 0 and below 1", above=0.0, below=1.0)
YES_OR_NO = Switch()
LISTENER = Listening()
SHARE_OF_JOBS = Number("must be a share of the jobs, at least 0 and below 1", least=0.0, below=1.0)
HOW = {"jobs": YES_OR_NO, "jit": YES_OR_NO, "progress": LISTENER}  # what many functions take


@dataclass(frozen=True)
class Option:
    """What is known of one option."""

    name: str
    kind: Any  # the type of its values, as the command line reads them
    default: Any
    check: Check
    meaning: str  # for people: help, schemas, tables
    flag: str  # on the command line; where there is none, --name
    unit: str  # that its values count, where the command line shows it
    several: bool  # may be repeated on the command line

    @property
    def flags(self) -> list[str]:
        """Return its names on the command line."""
        return self.flag.split() or [f"--{self.name.replace('_', '-')}"]

    @property
    def has_words(self) -> bool:
        """Tell whether a word may stand for a number, as in `warmup="mser"`."""
        parts = get_args(self.kind)
        return any(get_origin(part) is Literal for part in parts) or {str, float} <= {*parts}


def option(
    default: Any,
    check: Check = Check(),
    *,
    meaning: str,
    flag: str = "",
    unit: str = "",
    several: bool = False,
) -> Any:
    """Make a field of a class of options."""
    known = {"check": check, "meaning": meaning, "flag": flag, "unit": unit, "several": several}
    return field(default=default, metadata=known)


_ENTRIES: dict[type, tuple[Option, ...]] = {}  # of each class that was asked for


def entries_of(kind: "type[OptionSet]") -> tuple[Option, ...]:
    """List the entries of a class of options, in the order of `--help`."""
    if kind not in _ENTRIES:
        _ENTRIES[kind] = tuple(
            Option(one.name, one.type, one.default, **one.metadata)
            for one in fields(kind)
            if one.metadata
        )
    return _ENTRIES[kind]


@dataclass(frozen=True, kw_only=True)
class OptionSet:
    """Values of options, each checked when they are put together."""

    def __post_init__(self) -> None:
        for one in entries_of(type(self)):
            value = getattr(self, one.name)
            if value is not None or one.default is not None:
                object.__setattr__(self, one.name, self._checked(one, value))

    def _checked(self, one: Option, value: Any) -> Any:
        return one.check(one.name, value)

    @classmethod
    def among(cls, names: Mapping[str, Any]) -> Self:
        """Take the values from the `locals()` of a function that spells all options out.

        Parameters that say how a function runs are checked as well.
        """
        for name in HOW.keys() & names.keys():
            HOW[name](name, names[name])
        return cls(**{one.name: names[one.name] for one in entries_of(cls)})

    def chosen(self) -> dict[str, Any]:
        """Return the options whose values are not the default."""
        return {
            one.name: value
            for one in entries_of(type(self))
            if (value := getattr(self, one.name)) != one.default
        }
