"""What is wrong with a policy file is told with the line at which it is."""

from pathlib import Path

import pytest

import zerowait as zw
from zerowait.policies.base import load_policy_file


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("import zerowait\n\nclass Mine(\n", 3, "SyntaxError: '(' was never closed"),
        ("x = 1\ny = x + unknown\n", 2, "NameError: name 'unknown' is not defined"),
        ("from zerowait.kit import nothing\n", 1, "ImportError: cannot import name 'nothing'"),
    ],
)
def test_mistakes_have_a_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(zw.InputError) as error:
        load_policy_file(path)
    assert str(error.value).startswith(f"{path}:{line}: {told}")
    assert "\n" not in str(error.value)
