"""What every code action needs to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.config.note_types import TypesConfig
from core.config.relations import RelationsConfig
from core.config.templates import TemplatesConfig
from core.features.document import Document, TextSource
from core.features.mention_names import MentionNames
from core.features.results import CodeAction, CreateFile, Diagnostic, TextEdit
from core.features.suggested import Suggested
from core.features.templates import Moment
from core.locale import Locale, say
from core.model import Note
from core.vault.index import VaultIndex


def _any_kind(_kind: str) -> bool:
    return True


def _no_file(_path: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The vault, the open note and the user's wishes.

    `drafts` is the folder of new notes, "" for that of the note that asks; `template_folder`
    that of the vault's own templates. `mentions` are the names to look for in the text, None
    while they are not known. `wanted` tells which kinds of action are asked for; `automatic`
    that nobody asked, so that only what is cheap and likely is offered; `explicit` that certain
    kinds were asked for. `exists` tells whether there is a file at a vault path. `suggested` are
    the edges that are suggested for the note, as far as they are ready.
    """

    index: VaultIndex
    document: Document
    text_of: TextSource
    locale: Locale
    drafts: str = ""
    template_folder: str = ""
    relations: RelationsConfig = field(default_factory=RelationsConfig)
    types: TypesConfig = field(default_factory=TypesConfig)
    templates: TemplatesConfig = field(default_factory=TemplatesConfig)
    now: Moment = field(default_factory=Moment)
    mentions: MentionNames | None = None
    wanted: Callable[[str], bool] = _any_kind
    exists: Callable[[str], bool] = _no_file
    automatic: bool = False
    explicit: bool = False
    suggested: tuple[Suggested, ...] = ()

    @property
    def path(self) -> str:
        """Vault path of the open note."""
        return self.document.path

    @property
    def note(self) -> Note:
        """The open note, parsed."""
        return self.document.note

    @property
    def eol(self) -> str:
        """The line end of the open note."""
        return self.document.lines.eol

    def say(self, en: str, de: str) -> str:
        """The text in the user's language."""
        return say(self.locale, en, de)

    def text(self, path: str) -> str | None:
        """The text of a note as it is now; the open one's own."""
        return self.document.text if path == self.document.path else self.text_of(path)

    def edit(self, start: int, end: int, new_text: str) -> TextEdit:
        """An edit of the open note."""
        return TextEdit(self.document.path, start, end, new_text)

    def is_taken(self, path: str) -> bool:
        """Whether a note or file has this path, also for a file system that ignores letter
        case (DG-02)."""
        found = self.index.resolve_name(f"/{path}", self.document.path)
        return found.path is not None or found.attachment is not None or self.exists(path)


def fix(
    title: str, diagnostic: Diagnostic, change: TextEdit | CreateFile, *, preferred: bool = False
) -> CodeAction:
    """A quick fix of one change."""
    edits = (change,) if isinstance(change, TextEdit) else ()
    creates = (change,) if isinstance(change, CreateFile) else ()
    return CodeAction(title, "quickfix", edits, creates, diagnostic, preferred)
