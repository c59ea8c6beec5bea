"""A small vault from a fixture, and its answers in short form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.config.load import load_config
from core.config.relations import Relation, RelationsConfig, Words
from core.features.action_context import ActionContext
from core.features.code_action import code_actions
from core.features.completion import CompletionContext, complete
from core.features.diagnostics import diagnose
from core.features.document import Document
from core.features.results import (
    CodeAction,
    CompletionItem,
    Completions,
    Diagnostic,
    Reference,
    TextEdit,
)
from core.locale import Locale
from core.model import NOTE_SUFFIXES, Place, Span
from core.parse import parse_note
from core.settings import DEFAULTS, CompletionSettings, DiagnosticSettings
from core.vault.index import VaultIndex
from tests.support.fixture import Fixture, parse_fixture

RELATIONS = RelationsConfig(
    relations={
        "depends_on": Relation(
            label=Words(en="depends on", de="hängt ab von"),
            description=Words(en="It needs the target.", de="Braucht das Ziel."),
            inverse="blocks",
        ),
        "blocks": Relation(label=Words(en="blocks", de="blockiert"), inverse="depends_on"),
        "related_to": Relation(
            label=Words(en="is related to", de="hängt zusammen mit"), symmetric=True
        ),
    }
)


@dataclass(frozen=True)
class Vault:
    """The parsed files of a fixture; the file with the cursor (or the first) is open."""

    fixture: Fixture

    @classmethod
    def of(cls, source: str, *, eol: str = "\n") -> Vault:
        fixture = parse_fixture(source.replace("\n", eol))
        if not fixture.path:
            fixture = Fixture(fixture.files, next(iter(fixture.files)), 0, 0)
        return cls(fixture)

    @cached_property
    def index(self) -> VaultIndex:
        files = self.fixture.files
        notes = [parse_note(p, text) for p, text in files.items() if p.endswith(NOTE_SUFFIXES)]
        others = [path for path in files if not path.endswith(NOTE_SUFFIXES)]
        return VaultIndex.build(notes, others)

    @cached_property
    def document(self) -> Document:
        note = self.index.get(self.fixture.path)
        assert note is not None
        return Document.of(note, self.fixture.text)

    @property
    def at(self) -> int:
        return self.fixture.start

    def text_of(self, path: str) -> str | None:
        return self.fixture.files.get(path)

    def complete(self, limit: int = 60, locale: Locale = "en", **more: Any) -> Completions:
        """`more` are further fields of the context: `recent`, `today`, `edits_elsewhere`."""
        settings = CompletionSettings(max_items=limit)
        more.setdefault("types", load_config().types)
        context = CompletionContext(
            self.index, self.document, settings, RELATIONS, locale=locale, text_of=self.text_of,
            **more,
        )  # fmt: skip
        return complete(context, self.at)

    def diagnose(
        self, locale: Locale = "en", settings: DiagnosticSettings = DEFAULTS.diagnostics,
        types: Sequence[str] = (),
    ) -> tuple[Diagnostic, ...]:  # fmt: skip
        note = self.document.note
        return diagnose(self.index, note, settings, locale, RELATIONS, types)

    def actions(self, locale: Locale = "en", drafts: str = "") -> tuple[CodeAction, ...]:
        span = Span(self.fixture.start, self.fixture.end)
        context = ActionContext(self.index, self.document, self.text_of, locale, drafts)
        return code_actions(context, span, self.diagnose(locale, types=("concept",)))

    def action(self, title: str) -> CodeAction:
        found = [action for action in self.actions() if action.title == title]
        assert len(found) == 1, [action.title for action in self.actions()]
        return found[0]

    def after(self, action: CodeAction) -> dict[str, str]:
        """All files after the action; asserts that it creates no file that exists."""
        files = dict(self.fixture.files)
        for edit in sorted(action.edits, key=lambda edit: -edit.start):
            files[edit.path] = applied(files[edit.path], edit)
        for created in action.creates:
            assert created.path.casefold() not in {path.casefold() for path in files}
            files[created.path] = created.text
        return files

    def accept(self, item: CompletionItem, *, replace: bool = True) -> str:
        """The open text after the item is accepted."""
        text = self.fixture.text
        span = item.replace if replace else item.insert
        assert span.start <= self.at <= span.end
        assert "\n" not in text[span.start : span.end]
        own = TextEdit(self.fixture.path, span.start, span.end, item.new_text)
        here = [edit for edit in item.edits if edit.path == self.fixture.path]
        for edit in sorted((own, *here), key=lambda edit: -edit.start):
            text = applied(text, edit)
        return text


def applied(text: str, edit: TextEdit) -> str:
    return text[: edit.start] + edit.new_text + text[edit.end :]


def where(place: Place, start: int, end: int) -> str:
    """`line:col-col`, in code points."""
    return f"{place.line}:{place.col + start}-{place.col + end}"


def uses(found: Sequence[Reference]) -> list[str]:
    """`path line:col-col` of each."""
    return [f"{use.path} {where(use.place, use.start, use.end)}" for use in found]


def findings(found: Sequence[Diagnostic]) -> list[str]:
    """`line:col-col code` of each."""
    return [f"{where(item.place, item.start, item.end)} {item.code}" for item in found]
