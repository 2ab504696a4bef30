"""A replay that several tests look at."""

import pytest

import zerowait as zw
from zerowait.experiment.results.result import Replay


@pytest.fixture(scope="session")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """Six weeks of jobs that wait, of three users."""
    path = tmp_path_factory.mktemp("logs") / "log.csv"
    rows = [f"{job * 4000},{1 + job % 4},{20_000},u{job % 3}" for job in range(900)]
    path.write_text("\n".join(["arrival,need,service,user", *rows]))
    return zw.replay(zw.read_log(path), 16, "bs:first-fit", users=True, jobs=True)
