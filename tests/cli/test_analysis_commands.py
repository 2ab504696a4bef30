"""split, theory and capacity, as a user runs them."""

from pathlib import Path

import pytest

from tests.cli.running import answer, ran, zerowait

pytestmark = pytest.mark.slow

WORKLOAD = """
[[class]]
need = 1
share = 0.5
service = { law = "exponential", mean = 1.0 }
[[class]]
need = 4
share = 0.5
service = { law = "exponential", mean = 3.0 }
"""


def test_split_shows_theory_beside_it() -> None:
    known = answer("split", "figure1", "-k", "2048")
    assert known["own_servers"] == [384, 512, 512, 512]
    assert known["theory"]["served_by_helpers_bound"] == pytest.approx(0.13209, abs=1e-5)
    shown = zerowait("split", "figure1", "-k", "2048").stdout
    assert "balanced split of 2048 servers" in shown
    assert "0.1321" in shown
    assert "bounds neither routing nor waiting" in " ".join(shown.split())


def test_split_without_a_load_says_what_is_missing() -> None:
    done = zerowait("split", "sdsc-sp2", "-k", "512")
    assert done.returncode == 0
    assert "--load" in done.stderr
    assert answer("split", "sdsc-sp2", "-k", "512")["theory"] is None


def test_theory() -> None:
    known = answer("theory", "figure1", "-k", "2048", "--table")
    assert known["theorem_2"]["constant"] == pytest.approx(1.468712, abs=1e-6)
    assert known["proposition_1"]["load_by_helpers"] == pytest.approx(0.65992, abs=1e-5)
    assert known["convergence"][-1]["servers"] == 2048 * 8**6
    assert known["command"].startswith("zerowait theory figure1")
    shown = zerowait("theory", "sdsc-sp2", "-k", "512", "--load", "0.8", "--table", "--subcritical")
    assert shown.returncode == 0
    assert "~" in shown.stdout  # lognormal service: no bound on waiting


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["theory", "sdsc-sp2", "-k", "512"], "give a load or an arrival rate"),
        (["theory", "figure1", "-k", "2048", "--load", "1.2"], "load = 1.2"),
        (["theory", "figure1", "-k", "64", "--load", "0.5", "--arrival-rate", "2"], "not both"),
        (["theory", "figure1", "-k", "64", "--table", "--exponent", "1"], "exponent = 1.0"),
        (["capacity", "figure1", "-k", "128", "--tolerance", "2"], "tolerance = 2.0"),
        (["capacity", "figure1", "-k", "128", "-p", "magic"], "there is no policy 'magic'"),
    ],
)
def test_bad_input_ends_in_one_line(arguments: list[str], message: str) -> None:
    done = zerowait(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_capacity(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(WORKLOAD)
    options = ("-k", "6", "--tolerance", "0.2", "--max-arrivals", "40000")
    known = answer("capacity", str(path), *options)
    assert known["stable"] < known["saturated"]["load"] < known["growing"]
    assert known["saturated"]["load"] == pytest.approx(0.716511, abs=1e-6)
    shown = zerowait("capacity", str(path), *options, "-p", "first-fit")
    assert "stable up to a load between" in shown.stdout


def test_theory_without_helpers_promises_nothing_of_them(tmp_path: Path) -> None:
    classes = "".join(
        f"[[class]]\nneed = {need}\nshare = {share}\n"
        f'service = {{ law = "exponential", mean = {need} }}\n'
        for need, share in ((1, 0.75), (2, 0.25))
    )
    (tmp_path / "w.toml").write_text(classes)
    shown = ran("theory", tmp_path / "w.toml", "-k", 14, "--load", "0.5").stdout
    assert "none: nobody is served there" in shown
    assert "under mbs as under bs" in shown
    assert "Proposition 1" not in shown
    assert "overflow (mbs)" not in shown
