"""Evaluations are kept as soon as they are known, and torn lines are run again."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import zerowait as zw
from zerowait.experiment.optimisation.evaluations import Book, Evaluator
from zerowait.experiment.optimisation.samples import replication
from zerowait.experiment.optimisation.space import Candidate
from zerowait.model import InputError
from zerowait.model.errors import WriteError
from zerowait.policies import parse_policy

VALUES = {"wait": (0.1, 1 / 3, float("inf"))}


def test_a_book_gives_back_every_bit_and_survives_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "new" / "book.jsonl"
    Book(path).add("a", VALUES)
    Book(path).add("b", {})
    with path.open("a") as file:
        file.write('deadbeef {"key": "c", "val')
    again = Book(path)
    assert (again.get("a"), again.get("b"), again.get("c")) == (VALUES, {}, None)
    again.add("d", VALUES)
    assert Book(path).get("d") == VALUES


def test_a_book_that_can_no_longer_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    book = Book(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(WriteError, match=r"book\.jsonl: cannot be written: .*; evaluations before"):
        book.add("a", VALUES)


def test_nothing_is_run_twice(tmp_path: Path) -> None:
    samples = [replication(zw.workloads.figure1(64), 2000, 1, at, 0.1) for at in range(2)]
    candidates = [Candidate(parse_policy(one)) for one in ("fcfs", "first-fit", "fcfs")]
    ran: list[int] = []
    with ThreadPoolExecutor(2) as pool:
        first = Evaluator(64, ["wait"], pool, Book(tmp_path / "book"), ran.append)
        found = first(candidates, samples)
        assert ran == [2000] * 4
        assert found[0] == found[2] != found[1]
        second = Evaluator(64, ["wait"], pool, Book(tmp_path / "book"), ran.append)
        assert second(candidates, samples) == found
        assert len(ran) == 4
        second([candidates[0]], samples[:1])
        Evaluator(64, ["wait_p95"], pool, Book(tmp_path / "book"), ran.append)(candidates, samples)
        assert len(ran) == 8


def test_a_candidate_that_cannot_run_has_no_values_but_a_baseline_says_why() -> None:
    samples = [replication(zw.workloads.figure1(64), 2000, 1, 0, 0.1)]
    wrong = Candidate(parse_policy("bs:fcfs,slots=1/2"))
    with ThreadPoolExecutor(1) as pool:
        evaluator = Evaluator(64, ["wait"], pool)
        assert evaluator([wrong], samples) == [[]]
        with pytest.raises(InputError, match="must have 4 entries"):
            evaluator.required(wrong, samples)
