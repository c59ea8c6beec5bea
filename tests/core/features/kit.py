"""A small vault from a fixture, and its answers in short form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from core.config.load import Config, load_config
from core.config.note_types import TypesConfig, TypeSpec, TypeValues
from core.config.relations import Relation, RelationsConfig, Words
from core.features.action_context import ActionContext
from core.features.code_action import code_actions, complete_action
from core.features.completion import CompletionContext, complete
from core.features.diagnostics import diagnose
from core.features.document import Document
from core.features.mention_names import MentionNames
from core.features.results import (
    CodeAction,
    CompletionItem,
    Completions,
    Diagnostic,
    PlaceEdit,
    Reference,
    TextEdit,
    VaultEdit,
)
from core.features.templates import Moment
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
            aliases=("hängt_ab_von",),
        ),
        "blocks": Relation(label=Words(en="blocks", de="blockiert"), inverse="depends_on"),
        "related_to": Relation(
            label=Words(en="is related to", de="hängt zusammen mit"), symmetric=True
        ),
    }
)


TYPES = TypesConfig(
    default=TypeValues(edge_defaults=("references", "related_to")),
    types={
        "concept": TypeSpec(),
        "task": TypeSpec(edge_defaults=("depends_on",)),
        "person": TypeSpec(paths=("people/",)),
    },
)


@cache
def _packaged() -> Config:
    return load_config()


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
        """`more` are further fields of the context, such as `recent` or `edits_elsewhere`."""
        settings = CompletionSettings(max_items=limit)
        more.setdefault("types", _packaged().types)
        more.setdefault("relations", RELATIONS)
        context = CompletionContext(
            self.index, self.document, settings, locale=locale, text_of=self.text_of, **more
        )
        return complete(context, self.at)

    def diagnose(
        self, locale: Locale = "en", settings: DiagnosticSettings = DEFAULTS.diagnostics,
        types: Sequence[str] = (),
    ) -> tuple[Diagnostic, ...]:  # fmt: skip
        note = self.document.note
        return diagnose(self.index, note, settings, locale, RELATIONS, types)

    def context(self, locale: Locale = "en", drafts: str = "", **more: Any) -> ActionContext:
        given: dict[str, Any] = {
            "relations": RELATIONS, "types": TYPES, "templates": load_config().templates,
            "now": Moment(2031, 3, 9, 7, 5), "mentions": MentionNames(self.index.names), **more,
        }  # fmt: skip
        return ActionContext(self.index, self.document, self.text_of, locale, drafts, **given)

    def actions(
        self, locale: Locale = "en", drafts: str = "", only: str = "quickfix", **more: Any
    ) -> tuple[CodeAction, ...]:
        """Actions of a kind, "" for all; `more` is for the context."""
        span = Span(self.fixture.start, self.fixture.end)
        asked = only not in ("", "quickfix")
        context = self.context(locale, drafts, **{"explicit": asked, **more})
        found = code_actions(context, span, self.diagnose(locale, types=TYPES.names()))
        return tuple(action for action in found if f"{action.kind}.".startswith(only))

    def action(self, title: str, only: str = "", **more: Any) -> CodeAction:
        offered = self.actions(only=only, **more)
        found = [action for action in offered if action.title == title]
        assert len(found) == 1, [action.title for action in offered]
        return found[0]

    def change(self, action: CodeAction, **more: Any) -> VaultEdit:
        """What the action changes, worked out where that was left for later."""
        if action.deferred is None:
            return VaultEdit(action.edits, action.creates)
        name, arguments, creates, edits = action.deferred
        found = self.diagnose(types=TYPES.names())
        change = complete_action(self.context(**more), name, arguments, found)
        assert change is not None, action.title
        assert bool(change.creates) == creates
        assert bool(change.edits) == edits
        return change

    def after(self, action: CodeAction, **more: Any) -> dict[str, str]:
        """All files after the action; asserts that it creates no file that exists, and that its
        edits do not overlap."""
        change = self.change(action, **more)
        files = dict(self.fixture.files)
        spans = sorted((edit.path, *_span(edit), edit.new_text) for edit in change.edits)
        for (path, _, end, _), (other, start, _, _) in pairwise(spans):
            assert path != other or end <= start, "two edits overlap"
        for path, start, end, new_text in reversed(spans):
            files[path] = files[path][:start] + new_text + files[path][end:]
        for created in change.creates:
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


def _span(edit: TextEdit | PlaceEdit) -> tuple[int, int]:
    if isinstance(edit, PlaceEdit):
        return edit.place.start + edit.start, edit.place.start + edit.end
    return edit.start, edit.end


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
