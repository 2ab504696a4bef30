"""Files of policies of the user's own, as text that travels to workers on other machines."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from zerowait.model import InputError
from zerowait.policies import POLICIES, Policy
from zerowait.policies.user_file import load_policy_file, module_name


@dataclass(frozen=True)
class PolicySource:
    """A policy file and its content: the same name elsewhere, or edited, is another one."""

    path: str
    text: str

    @classmethod
    def read(cls, path: Path) -> "PolicySource":
        """The file as it is; none of its code runs."""
        try:
            return cls(str(path), path.read_bytes().decode())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None

    @property
    def module(self) -> str:
        """What the module is called that it becomes."""
        return module_name(self.path, self.text.encode())

    def load(self, file: Path | None = None) -> list[str]:
        """Run it, and make its policies known here, of a copy where the file may not exist."""
        if self not in _loaded:
            names = load_policy_file(file or self._copy(), self.path)
            _loaded[self] = {name: POLICIES[name] for name in names}
        # Another file may have taken the names meanwhile.
        POLICIES.update(_loaded[self])
        return list(_loaded[self])

    def _copy(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="zerowait-policies-")
        _copies.append(folder)
        copy = Path(folder.name) / Path(self.path).name
        copy.write_bytes(self.text.encode())
        return copy


# What has run in this process; folders of copies are removed at its end.
_loaded: dict[PolicySource, dict[str, type[Policy]]] = {}
_copies: list["tempfile.TemporaryDirectory[str]"] = []
