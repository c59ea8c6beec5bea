"""How much work each action is, counted: the quick mode of the benchmark.

    python -m tests.bench.work

Notes parsed, links resolved, files read, and Python calls of any kind do not depend on the
machine, so a test can hold them against two vaults of different sizes: what grows with the vault
although only one note was touched is a mistake, however fast the machine is.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from core.features.completion import complete
from core.features.completion_context import CompletionContext
from core.features.definition import definition
from core.features.diagnostics import diagnose
from core.features.document import Document
from core.features.document_symbol import document_symbols
from core.features.hover import hover
from core.features.hover_context import HoverContext
from core.features.references import references
from core.parse import parse_note
from core.vault import read, resolve
from core.vault.cache import write_index
from core.vault.load import Loaded, load_vault
from mindnet_lsp import disk
from mindnet_lsp.session import Session

SIZES = (200, 800)
Work = dict[str, int]

_COUNTED: dict[CodeType, str] = {
    parse_note.__code__: "parsed",
    resolve.Resolver.name.__code__: "resolved",
    read.read_scanned.__code__: "read",
}
COLUMNS = ("parsed", "resolved", "read", "calls")
EDITED, HUB = "edited.md", "hub.md"
_HUB_LINKS = 50
"""The same in each vault: references cost what they find."""
_TEXT = "---\ntags: [work]\n---\n# Edited\n\n" + "Some words [[hub]] and [[note 7]].\n" * 40


def counted(action: Callable[[], object]) -> Work:
    """What `action` does, in this thread."""
    found: Counter[str] = Counter(dict.fromkeys(COLUMNS, 0))

    def on_call(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found["calls"] += 1
            name = _COUNTED.get(frame.f_code)
            if name is not None:
                found[name] += 1

    before = sys.getprofile()
    sys.setprofile(on_call)
    try:
        action()
    finally:
        sys.setprofile(before)
    return dict(found)


def write_vault(root: Path, notes: int) -> Path:
    """Notes of which each links to its neighbours, one that many link to, one to be edited."""
    for number in range(notes):
        note = root / f"folder {number % 10}" / f"note {number}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        links = "".join(f"- [[note {(number + far) % notes}]] again\n" for far in (1, 2, 3))
        hub = "[[hub|the hub]]\n" if number < _HUB_LINKS else ""
        note.write_text(
            f"---\ntags: [t{number % 5}]\n---\n# Note {number}\n\n{links}{hub}\n## End\n"
        )
    (root / HUB).write_text("# Hub\n\nWhere much leads to.\n")
    (root / EDITED).write_text(_TEXT)
    return root


class Actions:
    """What people do in one vault, as the language server does it."""

    def __init__(self, root: Path, cache: Path) -> None:
        self._root, self._cache = root, cache
        self._session = Session(root, root.as_uri())
        self._version = 1

    def measured(self) -> dict[str, Work]:
        """The work of each action, in an order that makes each of them possible."""
        session, found = self._session, {}

        def load() -> Loaded:
            return load_vault(self._root, (), self._cache)

        loaded = load()
        found["cold start"] = counted(load)
        write_index(self._cache, loaded.index, loaded.stamps)
        found["warm start"] = counted(load)
        (self._root / "folder 1" / "note 1.md").write_text("# Note 1\n\n[[note 2]] [[hub]]\n")
        found["start after one change"] = counted(load)
        session.load(load())
        session.index.prepare()
        session.open((self._root / EDITED).as_uri(), EDITED, 1, _TEXT)
        session.snapshot()
        self._type("")
        actions: dict[str, Callable[[], object]] = {
            "keystroke": lambda: self._type(f"[[missing {self._version}]]"),
            "keystroke in a link": lambda: self._type(f"[[note {self._version % 90}]]"),
            "diagnostics": self._diagnose,
            "outline": self._outline,
            "definition": self._definition,
            "references of a hub": lambda: references(session.index, self._document, self._at_link),
            "hover": self._hover,
            "completion of nothing": lambda: self._complete("[["),
            "completion of a name": lambda: self._complete("[[note 12"),
            "a saved note": lambda: self._outside("folder 2/note 2.md", "# Note 2\n\n[[note 9]]\n"),
            "a new note": lambda: self._outside(f"folder 3/new {self._version}.md", "# New\n"),
            "a renamed title": lambda: self._outside(
                "folder 3/new.md", f"# Newer {self._version}\n"
            ),
        }
        for name, action in actions.items():
            action()  # what is made once and kept is no part of it
            self._type("y")
            found[name] = counted(action)
        return found

    @property
    def _document(self) -> Document:
        return self._session.documents[EDITED].document

    @property
    def _at_link(self) -> int:
        return _TEXT.index("[[hub") + 3

    def _type(self, more: str) -> None:
        self._version += 1
        self._session.edit(EDITED, self._version, f"{_TEXT}{self._version} {more}")
        self._session.snapshot()

    def _outside(self, path: str, text: str) -> None:
        """A file was written, and the server looks at it."""
        session = self._session
        (self._root / path).write_text(f"{text}{self._version} [[{self._version}]]\n")
        known = disk.Known(self._root, (), session.stamps, session.index)
        found = disk.look_at(known, {path})
        assert found is not None
        session.apply_disk(found)

    def _diagnose(self) -> object:
        session = self._session
        relations, types = session.config.relations, session.config.types
        note, levels = self._document.note, session.settings.diagnostics
        return diagnose(session.index, note, levels, "en", relations, types.types)

    def _outline(self) -> object:
        return document_symbols(self._document, self._session.config.relations, "en")

    def _definition(self) -> object:
        session = self._session
        relations = session.config.relations
        return definition(
            session.index, self._document, self._at_link, relations, lambda what, name: None
        )

    def _hover(self) -> object:
        session = self._session
        context = HoverContext(
            session.index, self._document, session.settings.hover, session.config.relations,
            session.config.types, "en", session.text,
        )  # fmt: skip
        return hover(context, self._at_link)

    def _complete(self, typed: str) -> object:
        session = self._session
        self._type(typed)
        context = CompletionContext(
            session.index, self._document, session.settings.completion,
            session.config.relations, session.config.types, "en", session.text,
        )  # fmt: skip
        found = complete(context, len(self._document.text))
        assert found.items
        return found


def measure(folder: Path, notes: int) -> dict[str, Work]:
    """The work of each action in a new vault with so many notes (and two more)."""
    root = write_vault(folder / f"vault {notes}", notes)
    return Actions(root, folder / f"{notes}.cache").measured()


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as folder:
        tables = [measure(Path(folder), notes) for notes in SIZES]
    sys.stdout.write(f"{'':26}" + "".join(f"{f'{size:,} notes':>36}" for size in SIZES) + "\n")
    head = "".join(f"{column:>9}" for column in COLUMNS)
    sys.stdout.write(f"{'':26}{head * len(SIZES)}\n")
    for name in tables[0]:
        cells = [f"{table[name][column]:>9,}" for table in tables for column in COLUMNS]
        sys.stdout.write(f"{name:26}{''.join(cells)}\n")


if __name__ == "__main__":
    main()
