"""What a draft needs to know of a vault, outside of an editor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from core.chat.interview import Draft
from core.chat.shapes import ChatDraft, MissingField
from core.config.load import Config
from core.errors import MindnetError
from core.features.action_context import ActionContext
from core.features.document import Document
from core.features.templates import Moment
from core.locale import Locale
from core.parse import parse_note
from core.settings import Settings
from core.vault.index import VaultIndex
from core.vault.new_file import is_on_disk
from core.vault.read import read_note


def draft_context(
    root: Path, index: VaultIndex, config: Config, settings: Settings, locale: Locale
) -> ActionContext:
    """The context of a new note in the vault at `root`, with the time of now."""
    now = datetime.now()
    return ActionContext(
        index,
        Document.of(parse_note("", ""), ""),
        _text_of(root),
        locale,
        settings.drafts.folder,
        settings.templates.folder,
        config.relations,
        config.types,
        config.templates,
        Moment(*now.timetuple()[:6], now.weekday()),
        exists=lambda path: is_on_disk(root, path),
    )


def draft_shape(found: Draft) -> ChatDraft:
    """A draft as it goes over the wire."""
    return ChatDraft(
        type=found.type,
        title=found.title,
        file_name=found.path.rpartition("/")[2],
        path=found.path,
        markdown=found.markdown,
        missing_fields=[MissingField(**one._asdict()) for one in found.missing_fields],
        healed=list(found.healed),
        moved_to_body=list(found.moved_to_body),
        question=found.question,
        said=found.said,
        notice=found.notice,
    )


def _text_of(root: Path) -> Callable[[str], str | None]:
    def text_of(path: str) -> str | None:
        try:
            return read_note(root, path).text
        except MindnetError:
            return None

    return text_of
