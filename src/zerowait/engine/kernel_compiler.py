"""What Numba does otherwise for kernels, so that they compile in half the time.

A kernel is a hundred small functions in one, and its tuples hold a hundred arrays. Numba by itself
copies a function once for each level that it is nested in, hands whole tuples on to each, and
takes them apart at every use; and it makes called functions ready for Python and C to call.
"""

from collections import Counter
from functools import cache
from typing import Any, NamedTuple

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, find_topo_order, replace_vars
from numba.core.registry import CPUDispatcher
from numba.core.untyped_passes import InlineInlinables


class KernelFlags(Flags):
    """Numba's, whose hash is of the names of its options alone, and asked for whenever a call is
    typed; it gathers all values each time, which were a seventh of the time."""

    __slots__ = ()
    _HASH = hash(Flags())

    def __hash__(self) -> int:
        return self._HASH

    __eq__ = Flags.__eq__


class KernelCompiler(CompilerBase):
    """Numba's own passes, but for how functions are inlined and tuples read."""

    def _compile_core(self) -> Any:
        self.state.flags = KernelFlags(self.state.flags)
        return super()._compile_core()

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
    clean up.
    """

    _name = "read_tuples_once"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        blocks = state.func_ir.blocks
        in_order = [blocks[label] for label in find_topo_order(blocks)]
        places = _places(state.args, in_order)
        for block in in_order:
            block.body = [one for one in block.body if not _passes_on(one, places)]
        entry = Entry(in_order[0])
        statements = (one for block in in_order for one in block.body)
        used = {variable.name for one in statements for variable in one.list_vars()}
        named = {name: entry.read(place.path) for name, place in places.items() if name in used}
        entry.add_reads()
        replace_vars(blocks, named)
        state.func_ir._definitions = build_definitions(blocks)
        return True


class Place(NamedTuple):
    """An argument, or what it holds under a name of a name."""

    path: tuple[str, ...]  # the argument, then fields
    type: Any


class Entry:
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
            variable = self.block.scope.redefine("$" + ".".join(path), owner.loc)
            field = ir.Expr.getattr(owner, path[-1], owner.loc)
            self.reads.append(ir.Assign(field, variable, owner.loc))
            self.variables[path] = variable
        return self.variables[path]

    def add_reads(self) -> None:
        """Behind the arguments, before all else."""
        at = sum(isinstance(one.value, ir.Arg) for one in self.block.find_insts(ir.Assign))
        self.block.body[at:at] = self.reads


def _places(arguments: Any, blocks: list[Any]) -> dict[str, Place]:
    """Of variables that are assigned once, and stand for a part of an argument."""
    assignments = [one for block in blocks for one in block.find_insts(ir.Assign)]
    times = Counter(one.target.name for one in assignments)
    places: dict[str, Place] = {}
    for one in assignments:
        if times[one.target.name] == 1:
            place = _place(one, arguments, places)
            if place is not None:
                places[one.target.name] = place
    return places


def _place(assignment: Any, arguments: Any, places: dict[str, Place]) -> Place | None:
    value = assignment.value
    if isinstance(value, ir.Arg):
        kind = arguments[value.index]
        is_tuple = isinstance(kind, types.NamedTuple)
        return Place((assignment.target.name,), kind) if is_tuple else None
    if isinstance(value, ir.Var):
        return places.get(value.name)
    if isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in places:
        path, kind = places[value.value.name]
        if isinstance(kind, types.NamedTuple) and value.attr in kind.fields:
            return Place((*path, value.attr), kind.types[kind.fields.index(value.attr)])
    return None


def _passes_on(statement: Any, places: dict[str, Place]) -> bool:
    """Does the statement only give a place another name?"""
    return (
        isinstance(statement, ir.Assign)
        and statement.target.name in places
        and not isinstance(statement.value, ir.Arg)
    )
