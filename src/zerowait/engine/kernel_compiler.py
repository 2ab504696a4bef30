"""What Numba does otherwise for kernels, so that they compile in a third of the time.

A kernel is a hundred small functions in one, and its tuples hold a hundred arrays. Numba by itself
copies a function once for each level that it is nested in, hands whole tuples on to each, and
takes them apart at every use, and makes called functions ready for Python and C to call
(docs/decisions/0010).
"""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import cgutils, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import UnsupportedError
from numba.core.ir_utils import (
    build_definitions,
    find_topo_order,
    get_definition,
    guard,
    replace_vars,
)
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AttributeTemplate
from numba.core.untyped_passes import InlineInlinables
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model

from zerowait.engine.seats import Seats


class Borrowed(types.Type):
    """The address of a named tuple: what a called function gets, for it keeps and changes none.

    Numba by itself hands a tuple of fifty arrays to each call as three hundred and fifty numbers.
    """

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


PACKAGE = Path(__file__).parents[1]


class KernelCompiler(CompilerBase):
    """Numba's own passes, but for how functions are inlined and tuples read."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(InlineFromTheTop, InlineInlinables)
        passes.add_pass_after(ReadTuplesOnce, InlineFromTheTop)
        _leave_out(passes, InlineInlinables)
        passes.finalize()
        return [passes]


class Part(CPUDispatcher):
    """A function that a kernel calls: compiled once, whether it is given constants or not."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        alone = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, {}, alone | options, pipeline_class=KernelCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)


def _leave_out(passes: Any, one: Any) -> None:
    passes.passes = [entry for entry in passes.passes if entry[0] is not one]


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineFromTheTop(InlineInlinables):
    """Inline a function as it is written, then those that it calls: each is copied once."""

    _name = "inline_from_the_top"

    def _do_work(self, state: Any, work: Any, block: Any, at: int, call: Any, worker: Any) -> Any:
        if worker._compiler_pipeline is not _as_written:
            worker._compiler_pipeline = _as_written
            worker.run_untyped_passes = cache(worker.run_untyped_passes)
        return super()._do_work(state, work, block, at, call, worker)


def _as_written(state: Any) -> Any:
    passes = DefaultPassBuilder.define_untyped_pipeline(state)
    _leave_out(passes, InlineInlinables)
    return passes


@register_pass(mutates_CFG=False, analysis_only=False)
class ReadTuplesOnce(FunctionPass):
    """Read what is used of the arguments' named tuples at the entry, into a variable each.

    A tuple never changes, so `state.waiting.head` is the same array wherever it stands. Where
    each place loads a tuple to take one array out of it, the optimiser has arrays times places to
    clean up. Called functions get the addresses of tuples.
    """

    _name = "read_tuples_once"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        blocks = state.func_ir.blocks
        in_order = [blocks[label] for label in find_topo_order(blocks)]
        places = _places(state.args, in_order)
        for block in in_order:
            _refuse_writes(block, places)
            block.body = [one for one in block.body if not _passes_on(one, places)]
        entry = EntryBlock(in_order[0])
        for block in in_order:
            for call in block.find_exprs("call"):
                function = guard(get_definition, state.func_ir, call.func)
                if isinstance(function, ir.Global) and isinstance(function.value, Part):
                    call.args = [entry.lend(places, variable) for variable in call.args]
        statements = (one for block in in_order for one in block.body)
        used = {variable.name for one in statements for variable in one.list_vars()}
        named = {name: entry.read(place.path) for name, place in places.items() if name in used}
        entry.add_reads()
        replace_vars(blocks, named)
        state.func_ir._definitions = build_definitions(blocks)
        return True


class ArgumentPart(NamedTuple):
    """An argument, or what it holds under a name of a name."""

    path: tuple[str, ...]  # the argument, then fields
    type: Any
    owner: tuple[str, ...] = ()  # names of all that the tuple holds which holds it


class EntryBlock:
    """The first block of a function, and the variables that it reads places into."""

    def __init__(self, block: Any) -> None:
        self.block = block
        self.variables: dict[tuple[str, ...], Any] = {}
        self.reads: list[Any] = []

    def read(self, path: tuple[str, ...]) -> Any:
        if len(path) == 1:
            return self.block.scope.get_exact(path[0])
        if path not in self.variables:
            owner = self.read(path[:-1])
            self._keep(path, ir.Expr.getattr(owner, path[-1], owner.loc))
        return self.variables[path]

    def lend(self, places: dict[str, ArgumentPart], variable: Any) -> Any:
        """Return the address of the tuple that a variable stands for; of others the variable."""
        place = places.get(variable.name)
        if place is None or not isinstance(place.type, types.BaseNamedTuple):
            return variable
        path = ("&", *place.path)
        if path not in self.variables:
            owner = self.read(place.path)
            function = self._keep(("borrow",), ir.Global("borrow", borrow, owner.loc))
            self._keep(path, ir.Expr.call(function, [owner], (), owner.loc))
        return self.variables[path]

    def _keep(self, path: tuple[str, ...], value: Any) -> Any:
        """Return a variable with this value."""
        if path not in self.variables:
            self.variables[path] = self.block.scope.redefine("$" + ".".join(path), value.loc)
            self.reads.append(ir.Assign(value, self.variables[path], value.loc))
        return self.variables[path]

    def add_reads(self) -> None:
        """Write the reads behind the arguments, before all else."""
        at = sum(isinstance(one.value, ir.Arg) for one in self.block.find_insts(ir.Assign))
        self.block.body[at:at] = self.reads


def _places(arguments: Any, blocks: list[Any]) -> dict[str, ArgumentPart]:
    """Find the variables that are assigned once, and stand for a part of an argument."""
    assignments = [one for block in blocks for one in block.find_insts(ir.Assign)]
    times = Counter(one.target.name for one in assignments)
    places: dict[str, ArgumentPart] = {}
    for one in assignments:
        if times[one.target.name] == 1:
            place = _place(one, arguments, places)
            if place is not None:
                places[one.target.name] = place
    return places


def _place(assignment: Any, arguments: Any, places: dict[str, ArgumentPart]) -> ArgumentPart | None:
    value = assignment.value
    if isinstance(value, ir.Arg):
        kind = arguments[value.index]
        is_tuple = isinstance(kind, types.BaseNamedTuple | Borrowed)
        return ArgumentPart((assignment.target.name,), kind) if is_tuple else None
    if isinstance(value, ir.Var):
        return places.get(value.name)
    if isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in places:
        path, kind, _ = places[value.value.name]
        # A loop has few registers: arrays of queues, tuples of one type, are read where they are
        # used; read at the entry they made `bs:fcfs` slower by a tenth.
        field = None if isinstance(kind, types.NamedUniTuple) else field_type(kind, value.attr)
        if field is not None:
            return ArgumentPart((*path, value.attr), field, getattr(kind, "owned", kind).fields)
    return None


def _refuse_writes(block: Any, places: dict[str, ArgumentPart]) -> None:
    """Refuse a user's hook that writes into the jobs: it would change what is measured."""
    for kind in (ir.SetItem, ir.StaticSetItem):
        for statement in block.find_insts(kind):
            place = places.get(statement.target.name)
            ours = Path(statement.loc.filename).is_relative_to(PACKAGE)
            if place is not None and place.owner == Seats._fields and not ours:
                name = place.path[-1]
                raise UnsupportedError(f"jobs.{name} is not the policy's to write", statement.loc)


def _passes_on(statement: Any, places: dict[str, ArgumentPart]) -> bool:
    """Does the statement only give a place another name?"""
    return (
        isinstance(statement, ir.Assign)
        and statement.target.name in places
        and not isinstance(statement.value, ir.Arg)
    )
