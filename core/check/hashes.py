"""The records: each with its file and the hash that the file has now, no file without one."""

from __future__ import annotations

from collections.abc import Iterator

from core.check.shapes import Fact, Finding
from core.check.view import NoteView, finding
from core.vault.scan import Scan

_IMPORT = "run `mindnet import --apply`"


class HashCheck:
    """Audits the hash of every note, and compares the records with the files that were found."""

    def __init__(self, found: Scan) -> None:
        self._missing = dict.fromkeys(found.notes)
        self._paths: dict[str, str] = {}
        self._problems = [p for p in found.problems if p.path not in found.notes]
        self._same = 0

    def look(self, view: NoteView) -> Iterator[Finding]:
        if view.path in self._paths:
            message = f"its path is also that of {self._paths[view.path]}; {_IMPORT}"
            yield finding("hashes", "path-twice", view, message)
        self._paths[view.path] = view.note_id
        self._missing.pop(view.path, None)
        if not view.complete:
            message = f"it was not written to its end; {_IMPORT}"
            yield finding("hashes", "incomplete", view, message)
        elif view.file is None:
            yield finding("hashes", "no-file", view, f"{view.problem}; {_IMPORT}")
        elif view.payload.get("hash_signature") != view.signature:
            message = f"its hash is not that of its file; {_IMPORT}"
            yield finding("hashes", "hash-differs", view, message)
        elif view.payload.get("derivation") != view.derivation:
            message = f"types, relations or versions changed since it was written; {_IMPORT}"
            yield finding("hashes", "derivation-differs", view, message)
        else:
            self._same += 1

    def end(self) -> Iterator[Finding | Fact]:
        for path in self._missing:
            message = f"it is not in the index; {_IMPORT}"
            yield Finding(check="hashes", code="no-record", path=path, message=message)
        for problem in self._problems:
            message = f"{problem.reason} {problem.detail}".strip()
            yield Finding(check="hashes", code="unread", path=problem.path, message=message)
        message = f"{self._same} notes are as their files say"
        yield Fact(check="hashes", name="same", value=self._same, message=message)
