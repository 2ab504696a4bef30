"""Tuples that a called function reads where its caller keeps them.

Numba by itself hands a tuple of fifty arrays to each call as three hundred and fifty numbers. A
kernel never changes a tuple and keeps none, so its address will do.
"""

from typing import Any

from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
)


class Borrowed(types.Type):
    """The type of the address of a named tuple."""

    def __init__(self, owned: Any) -> None:
        self.owned = owned
        super().__init__(f"borrowed {owned}")


def field_type(kind: Any, name: str) -> Any:
    """Return the type of a field of a named tuple or of its address; None for all else."""
    if isinstance(kind, Borrowed):
        field = field_type(kind.owned, name)
        return Borrowed(field) if isinstance(field, types.BaseNamedTuple) else field
    fields: tuple[str, ...] = getattr(kind, "fields", ())
    return kind[fields.index(name)] if name in fields else None


@register_model(Borrowed)
class BorrowedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Borrowed) -> None:
        super().__init__(manager, kind, manager.lookup(kind.owned).get_value_type().as_pointer())


@infer_getattr
class BorrowedFields(AttributeTemplate):
    key = Borrowed
    generic_resolve: Any = staticmethod(field_type)


@lower_getattr_generic(Borrowed)
def read_field(context: Any, builder: Any, kind: Borrowed, address: Any, name: str) -> Any:
    index = kind.owned.fields.index(name)
    field = cgutils.gep_inbounds(builder, address, 0, index)
    return field if isinstance(kind.owned[index], types.BaseNamedTuple) else builder.load(field)


@intrinsic
def borrow(typing_context: Any, owned: Any) -> Any:
    """Keep a tuple in the caller's frame, and give its address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return Borrowed(owned)(owned), generate
