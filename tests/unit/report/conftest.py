"""A replay that several tests look at."""

import pytest

import zerowait as zw
from zerowait.experiment.replays.log_replay import LogReplay, replay_log


@pytest.fixture(scope="session")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> LogReplay:
    """Six weeks of jobs that wait, of three users."""
    path = tmp_path_factory.mktemp("logs") / "log.csv"
    rows = [f"{job * 4000},{1 + job % 4},{20_000},u{job % 3}" for job in range(900)]
    path.write_text("\n".join(["arrival,need,service,user", *rows]))
    return replay_log(zw.read_log(path), "bs:first-fit", servers=16, users=True)
