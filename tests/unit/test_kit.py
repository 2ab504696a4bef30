"""The names that policies of users rely on are there, and stay."""

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
