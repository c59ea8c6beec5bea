"""Hover over a fixture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from core.config.load import load_config
from core.config.relations import Relation, RelationsConfig, Words
from core.features.hover import hover
from core.features.hover_context import HoverContext
from core.features.results import Markup
from core.locale import Locale
from core.settings import HoverSettings
from tests.core.features.kit import RELATIONS, Vault

_REFERENCES = Relation(label=Words(en="refers to", de="verweist auf"))
_NEEDS = RELATIONS.relations["depends_on"].model_copy(update={"aliases": ("requires",)})
HOVERED = RelationsConfig(
    relations={**RELATIONS.relations, "references": _REFERENCES, "depends_on": _NEEDS}
)


def said(
    source: str,
    locale: str = "en",
    markup: Markup = "markdown",
    *,
    limit: int = 8,
    eol: str = "\n",
    sizes: Mapping[str, int] = {},
    images: bool = False,
) -> str | None:
    """The hover's text; asserts that it is of what is under the cursor."""
    vault = Vault.of(source, eol=eol)
    context = HoverContext(
        vault.index, vault.document, HoverSettings(max_backlinks=limit), HOVERED,
        load_config().types, cast("Locale", locale), vault.text_of, markup, sizes.get,
        cast("Any", lambda path: f"file:///{path}" if images else None),
    )  # fmt: skip
    found = hover(context, vault.at)
    if found is None:
        return None
    assert found.span.touches(vault.at)
    assert "\r" not in found.text
    return found.text
