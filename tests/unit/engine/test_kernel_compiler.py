"""Kernels compile faster than Numba's own way, and to the same."""

from typing import Any, NamedTuple

import numpy as np

from zerowait.engine.compile import compile_function
from zerowait.engine.kernel import called, portable
from zerowait.model.quantities import Floats


class Inner(NamedTuple):
    total: Floats


class Outer(NamedTuple):
    inner: Inner
    other: Inner


def outer() -> Outer:
    return Outer(Inner(np.zeros(3)), Inner(np.zeros(3)))


@called
def add(inner: Inner, at: int, amount: float) -> None:
    inner.total[at] += amount


def add_behind(inner: Inner, at: int) -> None:
    at += 1
    add(inner, at, 10.0)
    inner.total[at] *= 3.0


def add_to_each(pair: Outer) -> None:
    add(pair.inner, 0, 1.0)
    for at in range(2):
        add(pair.other, at, 2.0)
        add_behind(pair.inner, at)


def add_to_one(pair: Outer) -> None:
    chosen = pair.inner
    if chosen.total[0] == 0.0:
        chosen = pair.other
    chosen.total[1] += 5.0


@called
def add_to_both(pair: Outer, at: int) -> None:
    add(pair.inner, at, 1.0)
    add(pair.other, at, pair.inner.total[at] + 1.0)


def lend_twice(pair: Outer) -> None:
    add_to_both(pair, 1)
    add(pair.other, 2, pair.other.total[1])


def totals(function: Any, jit: bool) -> list[list[float]]:
    pair = outer()
    kernel = compile_function(function, jit=jit)
    for _ in range(2):
        kernel(portable(pair))
    return [inner.total.tolist() for inner in pair]


def test_tuples_handed_on_and_taken_apart_are_the_same_arrays() -> None:
    assert totals(add_to_each, jit=True) == totals(add_to_each, jit=False)
    assert totals(add_to_each, jit=False) == [[2.0, 120.0, 120.0], [4.0, 4.0, 0.0]]


def test_borrowed_tuples_can_be_passed_on() -> None:
    assert totals(lend_twice, jit=True) == totals(lend_twice, jit=False)
    assert totals(lend_twice, jit=False) == [[0.0, 2.0, 0.0], [0.0, 5.0, 7.0]]


def test_a_name_that_stands_for_one_tuple_or_another_is_left_alone() -> None:
    assert totals(add_to_one, jit=True) == totals(add_to_one, jit=False)
    assert totals(add_to_one, jit=False) == [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0]]


def test_a_called_part_is_compiled_once_whether_its_place_is_a_constant_or_not() -> None:
    kernel: Any = compile_function(add_to_each)
    kernel(portable(outer()))
    kernel.recompile()  # it may have come from the cache
    part = kernel.py_func.__globals__["add"]
    assert part is kernel.py_func.__globals__["add_behind"].py_func.__globals__["add"]
    assert len(part.signatures) == 1
