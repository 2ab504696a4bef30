"""Values made ready for JSON, which has no infinities."""

import math
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """The same value of lists, dicts and numbers; what is not a finite number becomes None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
