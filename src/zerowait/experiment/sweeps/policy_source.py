"""Files of policies of the user's own, as text that travels to workers on other machines."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from zerowait.model import InputError
from zerowait.policies.user_file import load_policy_file

# What is known in this process, by name of file; folders of copies are removed at its end.
_loaded: dict[str, str] = {}
_copies: list["tempfile.TemporaryDirectory[str]"] = []


@dataclass(frozen=True)
class PolicySource:
    """The content of a policy file."""

    path: str
    text: str

    @classmethod
    def read(cls, path: Path) -> "PolicySource":
        """Read a file and make its policies known here."""
        try:
            source = cls(str(path), path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        source._load_from(path)
        return source

    def load(self) -> None:
        """Make the policies known here; the file itself need not exist on this machine."""
        if _loaded.get(Path(self.path).name) == self.text:
            return
        folder = tempfile.TemporaryDirectory(prefix="zerowait-policies-")
        _copies.append(folder)
        copy = Path(folder.name) / Path(self.path).name
        copy.write_text(self.text, encoding="utf-8")
        self._load_from(copy)

    def _load_from(self, path: Path) -> None:
        if _loaded.get(path.name) != self.text:
            load_policy_file(path)
            _loaded[path.name] = self.text
