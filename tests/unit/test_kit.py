"""The names that policies of users rely on are there, and stay."""

import re
from pathlib import Path
from types import ModuleType

from zerowait import kit

PROMISED = """
    COUNT NONE NUMBER RUNNING TIME WAITING Choice Floats Ints JobTrees Lines Policy Preemptive
    Queues Range Seats System called chosen_from empty_job_trees empty_lines empty_queues
    first_in_time first_outside first_to_free insert join leave leave_line need_up_to plan_count
    plan_fewer plan_more register remaining_of remove
"""


def test_the_kit_has_what_it_promises_and_nothing_else() -> None:
    assert sorted(kit.__all__) == sorted(PROMISED.split())
    found = {name for name, value in vars(kit).items() if not isinstance(value, ModuleType)}
    assert {name for name in found if not name.startswith("_")} == set(kit.__all__)


def test_the_documents_name_all_of_it_and_need_nothing_else() -> None:
    docs = Path(__file__).parents[2] / "docs"
    reference = (docs / "reference" / "python.md").read_text()
    assert all(f"`{name}`" in reference for name in kit.__all__)
    tutorial = (docs / "tutorial" / "own-policy.md").read_text()
    assert "from zerowait.kit import" in tutorial
    assert not re.search(r"zerowait\.(engine|policies)", tutorial)
