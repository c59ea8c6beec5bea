"""Hover on a note that others mean by the word of a language model."""

from __future__ import annotations

import pytest

from core.config.load import load_config
from core.features.hover import hover
from core.features.hover_context import HoverContext, SmartSource
from core.locale import Locale
from core.settings import HoverSettings
from tests.core.features.hovering import HOVERED
from tests.core.features.kit import Vault

SOURCE = "//- /a.md\n[[b]]\n//- /c.md\nText.\n//- /b.md\n# B$0ee\n"
KNOWN = [
    SmartSource("c.md", "depends_on", 0.5),
    SmartSource("a.md", "depends_on", 0.85),
    SmartSource("c.md", "depends_on", 0.75),
]


def said(known: list[SmartSource], locale: Locale = "en", limit: int = 8) -> str:
    vault = Vault.of(SOURCE)
    context = HoverContext(
        vault.index, vault.document, HoverSettings(max_backlinks=limit), HOVERED,
        load_config().types, locale, vault.text_of,
        smart=lambda path: known if path == "b.md" else [],
    )  # fmt: skip
    found = hover(context, vault.at)
    assert found is not None
    return found.text


@pytest.mark.parametrize(
    ("locale", "head"),
    [("en", "Found by the language model:"), ("de", "Vom Sprachmodell gefunden:")],
)
def test_strongest_first_and_each_note_once(locale: Locale, head: str) -> None:
    text = said(KNOWN, locale)
    _, _, below = text.partition(head)
    assert below.index("a (0.85)") < below.index("c (0.75)")
    assert "0.50" not in below


def test_no_more_than_the_setting_says() -> None:
    assert "a (0.85)" in said(KNOWN, limit=1)
    assert "c (0.75)" not in said(KNOWN, limit=1)


def test_nothing_where_none_is_known() -> None:
    assert "language model" not in said([])
