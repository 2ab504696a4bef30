"""Replications in threads."""

import _thread
import threading
from typing import Any

import pytest

import zerowait as zw
from tests.conditions import GIVE_UP_S
from zerowait.experiment.simulation import simulate


def test_ctrl_c_does_not_wait_for_a_hook_that_never_returns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    began, released, ended = threading.Barrier(2), threading.Event(), []

    def endless(*_: Any) -> None:
        if began.wait() == 0:
            _thread.interrupt_main()  # as Ctrl-C does
        released.wait(GIVE_UP_S)
        ended.append(1)

    monkeypatch.setattr(simulate, "run", endless)
    try:
        with pytest.raises(KeyboardInterrupt):
            zw.simulate("figure1", 256, load=0.5, arrivals=1000, replications=2, threads=2)
        assert not ended
    finally:
        released.set()
