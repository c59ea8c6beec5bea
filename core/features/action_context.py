"""What every code action needs to know."""

from __future__ import annotations

from dataclasses import dataclass

from core.features.document import Document, TextSource
from core.features.results import CodeAction, CreateFile, Diagnostic, TextEdit
from core.locale import Locale, say
from core.vault.index import VaultIndex


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The vault, the open note and the user's wishes; `drafts` is the folder of new notes, ""
    for that of the note that asks."""

    index: VaultIndex
    document: Document
    text_of: TextSource
    locale: Locale
    drafts: str = ""

    def say(self, en: str, de: str) -> str:
        """The text in the user's language."""
        return say(self.locale, en, de)

    def text(self, path: str) -> str | None:
        """The text of a note as it is now; the open one's own."""
        return self.document.text if path == self.document.path else self.text_of(path)

    def edit(self, start: int, end: int, new_text: str) -> TextEdit:
        """An edit of the open note."""
        return TextEdit(self.document.path, start, end, new_text)


def fix(
    title: str, diagnostic: Diagnostic, change: TextEdit | CreateFile, *, preferred: bool = False
) -> CodeAction:
    """A quick fix of one change."""
    edits = (change,) if isinstance(change, TextEdit) else ()
    creates = (change,) if isinstance(change, CreateFile) else ()
    return CodeAction(title, "quickfix", edits, creates, diagnostic, preferred)
