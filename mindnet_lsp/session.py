"""One vault as the server knows it: snapshots of its index, and what is open in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from core.config.load import Config, load_config
from core.errors import MindnetError
from core.features.document import Document
from core.model import Note
from core.settings import DEFAULTS, Settings
from core.vault.index import VaultIndex
from core.vault.load import Loaded
from core.vault.read import read_note
from core.vault.scan import FileStamp
from mindnet_lsp import uris
from mindnet_lsp.overlay import OpenDocument, parse_safely
from mindnet_lsp.promised import Promised

State = Literal["starting", "indexing", "ready", "error"]

RECENT = 16
"""Notes that are remembered as worked on last."""


class Change(NamedTuple):
    """What is new in a vault. `everything` says that it was loaded as a whole."""

    notes: tuple[Note, ...] = ()
    removed: tuple[str, ...] = ()
    attachments_added: tuple[str, ...] = ()
    attachments_removed: tuple[str, ...] = ()
    everything: bool = False

    @property
    def paths(self) -> set[str]:
        """The notes that came, changed or went."""
        return {note.path for note in self.notes} | set(self.removed)

    def of(self, index: VaultIndex) -> VaultIndex:
        """The index after the change."""
        return index.update(
            self.notes, self.removed, self.attachments_added, self.attachments_removed
        )


class DiskChange(NamedTuple):
    """What a look at the disk found: notes with the stamps of their files, and what came and
    went."""

    notes: tuple[tuple[Note, FileStamp], ...] = ()
    removed: tuple[str, ...] = ()
    attachments_added: tuple[str, ...] = ()
    attachments_removed: tuple[str, ...] = ()


class Hook(Protocol):
    """Is told of every new snapshot; publishing happens here and in no handler."""

    def __call__(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None: ...


class Core(Protocol):
    """The vault's core service, as far as a session needs it."""

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Ask the service; raises MindnetError where it cannot answer."""

    def saved(self, paths: Iterable[str]) -> None:
        """These notes were saved or removed: bring the store up to date, in the background."""

    def reconfigured(self) -> None:
        """The vault's own YAML files changed: have them read again, in the background."""

    def restart(self) -> None:
        """Settings that a core takes at its start changed: have another one take its place."""

    def status(self) -> dict[str, Any]:
        """What is known of store, embedding and model, without asking for it."""


class Session:
    """A folder of the workspace, or one file alone (then `root` is None).

    One writer, many readers: `apply` and its kin run on the event loop and make the next
    snapshot; a reader takes `snapshot()` once and keeps it.
    """

    def __init__(self, root: Path | None, root_uri: str) -> None:
        self.root, self.root_uri = root, root_uri
        self.folder_uri = root_uri
        """The workspace folder that this is the vault of; `vault.root` may lead elsewhere."""
        self.index = VaultIndex()
        self.state: State = "starting"
        self.last_error: str | None = None
        self.settings: Settings = DEFAULTS
        self.documents: dict[str, OpenDocument] = {}
        """Open documents by vault path."""
        self.stamps: dict[str, FileStamp] = {}
        """Files behind the notes of the index, as of when they were read."""
        self.hooks: list[Hook] = []
        self.closers: list[Callable[[], object]] = []
        """Called when the session ends."""
        self.core: Core | None = None
        self.promised = Promised()
        """Edits that the client got with renames."""
        self._recent: dict[str, None] = {}
        self._config: Config | None = None
        self._edited: set[str] = set()

    @property
    def is_single(self) -> bool:
        """Whether this is one file outside every folder: nothing is known around it."""
        return self.root is None

    @property
    def is_ready(self) -> bool:
        """Whether the index holds the whole vault."""
        return self.state == "ready"

    @property
    def config(self) -> Config:
        """Note types and relation kinds; the packaged ones until the vault's own are read."""
        return self._config or _packaged_config()

    def load_config(self, root: Path) -> None:
        """Read the vault's own types and relations. Blocks on files, so call it in a thread."""
        self._config = load_config(root, os.environ)

    def snapshot(self) -> VaultIndex:
        """The index with every change of an open document in it."""
        self.flush()
        return self.index

    def flush(self) -> None:
        """Put the edited documents into the index."""
        if self._edited:
            edited, self._edited = self._edited, set()
            documents = (self.documents.get(path) for path in sorted(edited))
            self.apply(Change(tuple(d.document.note for d in documents if d is not None)))

    def apply(self, change: Change, after: VaultIndex | None = None) -> bool:
        """Make the next snapshot; hooks hear of it. False where nothing is different. `after`
        is the index after the change, where it was worked out already."""
        previous = self.index
        self.index = after if after is not None else change.of(previous)
        if self.index is previous and not change.everything:
            return False
        for hook in self.hooks:
            hook(self, previous, self.index, change)
        return True

    def load(self, loaded: Loaded) -> None:
        """Take a freshly loaded vault; open documents stay as the editor has them."""
        previous, self.stamps = self.index, loaded.stamps
        self.state, self.last_error = "ready", None
        opened = tuple(found.document.note for found in self.documents.values())
        self._edited.clear()
        self.index = loaded.index.update(opened)
        change = Change(opened, everything=True)
        for hook in self.hooks:
            hook(self, previous, self.index, change)

    def apply_disk(self, found: DiskChange, after: VaultIndex | None = None) -> bool:
        """Take what was found on disk. An open document belongs to its editor: of it only
        the stamp is taken. `after` as in `apply`."""
        for note, stamp in found.notes:
            self.stamps[note.path] = stamp
        for path in found.removed:
            self.stamps.pop(path, None)
        return self.apply(self.visible(found), after)

    def visible(self, found: DiskChange) -> Change:
        """What of it changes the index."""
        return Change(
            tuple(note for note, _ in found.notes if note.path not in self.documents),
            tuple(path for path in found.removed if path not in self.documents),
            found.attachments_added,
            found.attachments_removed,
        )

    def open(self, uri: str, path: str, version: int, text: str) -> None:
        """A document was opened: from now on its text is the editor's."""
        self.documents[path] = OpenDocument(uri, path, version, text)
        self._touch(path)

    def edit(self, path: str, version: int, text: str) -> None:
        """An open document changed."""
        self.documents[path].change(version, text)
        self._touch(path)

    def recent(self) -> tuple[str, ...]:
        """The notes opened or edited last, the last one first."""
        return tuple(reversed(self._recent))

    def _touch(self, path: str) -> None:
        self._edited.add(path)
        self._recent.pop(path, None)
        self._recent[path] = None
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]

    def close(self, path: str) -> None:
        """A document was closed. If it is on disk its note is read again by whoever called;
        if not, it is gone."""
        self.flush()
        self.documents.pop(path, None)
        # the note may be of text that was never saved: force a look at the file
        known = self.stamps.pop(path, None)
        if known is None and not self.exists(path):
            self.apply(Change(removed=(path,)))

    def exists(self, path: str) -> bool:
        """Whether there is a file at this vault path."""
        return self.root is not None and os.path.lexists(self.root / path)

    def document(self, path: str) -> Document | None:
        """The document at a vault path: the open one, else as it is on disk."""
        opened = self.documents.get(path)
        if opened is not None:
            return opened.document
        text = self.text(path)
        return None if text is None else Document.of(parse_safely(path, text), text)

    def text(self, path: str) -> str | None:
        """The text of a note as it is now; None where it cannot be read."""
        opened = self.documents.get(path)
        if opened is not None:
            return opened.text
        if self.root is None:
            return None
        try:
            return read_note(self.root, path).text
        except MindnetError:  # vanished, unreadable, or no note
            return None

    def uri(self, path: str) -> str:
        """The URI of a vault path; of an open document as its editor spells it."""
        opened = self.documents.get(path)
        return opened.uri if opened is not None else uris.join(self.root_uri, path)

    def version(self, path: str) -> int | None:
        """The version of an open document, None for a closed one."""
        opened = self.documents.get(path)
        return opened.version if opened is not None else None

    def end(self) -> None:
        """The folder was removed, or the server ends."""
        for closer in self.closers:
            closer()
        self.closers.clear()
        self.hooks.clear()


@cache
def _packaged_config() -> Config:
    return load_config()
