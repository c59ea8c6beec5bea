"""Suggestions that a person does not want to see again: kept in the data folder."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path

from core.ids import path_note_id
from core.paths import ensure_private
from core.store.files import disk_errors, write_atomically
from core.suggest.shapes import DismissedSuggestion
from core.vault.index import VaultIndex

FILE = "dismissed.json"

logger = logging.getLogger(__name__)


def note_id_of(index: VaultIndex, path: str) -> str:
    """The id of the note at `path`, also of one that is not there yet."""
    return index.note_id(path) if path in index.notes else path_note_id(path)


class Dismissed:
    """Pairs of note ids, source and target. `folder` of None remembers them for the process
    alone. Safe in several threads; one process at a time has a vault's data folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = folder / FILE if folder is not None else None
        self._lock = threading.Lock()
        self._pairs: dict[str, list[str]] | None = None

    def of(self, note_id: str) -> tuple[str, ...]:
        """The ids of the targets that are not wanted for this note, the first dismissed first."""
        with self._lock:
            return tuple(self._known().get(note_id, ()))

    def all(self) -> dict[str, tuple[str, ...]]:
        """Targets by note, in the order of the notes' ids."""
        with self._lock:
            return {note: tuple(targets) for note, targets in sorted(self._known().items())}

    def dismiss(self, note_id: str, target_id: str) -> bool:
        """Remember one; False where it was known. Raises `StoreError` where it cannot be kept."""
        with self._lock:
            targets = self._known().get(note_id, [])
            if target_id in targets:
                return False
            self._keep({**self._known(), note_id: [*targets, target_id]})
            return True

    def restore(self, note_id: str, target_id: str | None = None) -> int:
        """Forget one, or all of a note; how many that were. Raises as `dismiss`."""
        with self._lock:
            targets = self._known().get(note_id, [])
            kept = [one for one in targets if target_id is not None and one != target_id]
            if len(kept) == len(targets):
                return 0
            rest = {note: ids for note, ids in self._known().items() if note != note_id}
            self._keep({**rest, note_id: kept} if kept else rest)
            return len(targets) - len(kept)

    def _known(self) -> dict[str, list[str]]:
        if self._pairs is None:
            self._pairs = self._read()
        return self._pairs

    def _read(self) -> dict[str, list[str]]:
        if self._file is None:
            return {}
        try:
            found = json.loads(self._file.read_text("utf-8"))["dismissed"]
            return {str(note): [str(one) for one in targets] for note, targets in found.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            logger.warning("%s cannot be read: %s", FILE, type(error).__name__)
            return {}

    def _keep(self, pairs: dict[str, list[str]]) -> None:
        if self._file is not None:
            data = json.dumps({"version": 1, "dismissed": pairs}, ensure_ascii=False, indent=1)
            with disk_errors():
                ensure_private(self._file.parent)
                write_atomically(self._file, data.encode("utf-8", "surrogatepass"))
        self._pairs = pairs


def listed(
    dismissed: Dismissed, index: VaultIndex, path: str | None = None
) -> list[DismissedSuggestion]:
    """What was dismissed for the note at `path`, or for all, with the notes' titles."""
    pairs = dismissed.all()
    if path is not None:
        own = note_id_of(index, path)
        pairs = {own: pairs.get(own, ())}
    return [
        DismissedSuggestion(
            note_id=source,
            path=(at := index.path_of(source)),
            title=index.notes[at].title if at else None,
            target_note_id=target,
            target_path=(to := index.path_of(target)),
            target_title=index.notes[to].title if to else None,
        )
        for source, targets in pairs.items()
        for target in targets
    ]
