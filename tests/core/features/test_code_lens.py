"""Counts above a note and its headings, as `line kind count`."""

from __future__ import annotations

import time

import pytest

from core.features.code_lens import code_lenses, lens_references, lens_title
from core.features.references import references
from core.features.view_results import Lens
from core.model import Heading
from core.parse import parse_note
from core.vault.index import VaultIndex
from tests.core.features.kit import RELATIONS, Vault

HUB = """\
//- /Hub.md
---
id: the-hub
---
# Hub

## Eins
[[Gone]] [[#Zwei]]
## Zwei
### Eins
## Drei
//- /a.md
[[Hub]] [[Hub#Eins]] [[Hub#Zwei|x]] [t](Hub.md#zwei) [[hub#ZWEI]] [[Hub#^b]] [[Hub#Hub]]
//- /b.md
---
depends_on: [the-hub]
---
[[Hub#Zwei#Eins]] [[Hub#Nope]] [[Any label|Hub#Drei]] [a #b](Hub.md#eins)
"""


def test_counts() -> None:
    assert _lenses(HUB) == [
        "3 backlinks 12", "3 unresolved 1", "5 heading 2", "7 heading 4", "8 heading 1",
        "9 heading 1",
    ]  # fmt: skip


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_lens_counts_what_references_lists(eol: str) -> None:
    vault = Vault.of(HUB, eol=eol)
    index, document = vault.index, vault.document
    for lens in code_lenses(index, document.note):
        if lens.kind == "heading":
            assert isinstance(lens.place, Heading)
            found = references(index, document, lens.place.start, RELATIONS)
        else:
            found = lens_references(index, document.note, lens.kind)
        assert len(found) == lens.number, lens


def test_a_note_without_links_and_headings() -> None:
    assert _lenses("//- /a.md\ntext\n") == ["0 backlinks 0"]
    assert _lenses("//- /a.md\n") == ["0 backlinks 0"]


def test_suggestions_come_when_somebody_knows_them() -> None:
    vault = Vault.of("//- /a.md\n# A\n")
    found = code_lenses(vault.index, vault.document.note, 3)
    assert [(lens.kind, lens.number) for lens in found] == [("backlinks", 0), ("suggestions", 3)]


@pytest.mark.parametrize(
    ("kind", "count", "en", "de"),
    [
        ("backlinks", 0, "No backlinks", "Keine Rückverweise"),
        ("backlinks", 1, "1 backlink", "1 Rückverweis"),
        ("backlinks", 2, "2 backlinks", "2 Rückverweise"),
        ("unresolved", 1, "1 unresolved link", "1 offener Link"),
        ("suggestions", 4, "4 suggestions", "4 Vorschläge"),
        ("heading", 1000, "1000 links", "1000 Verweise"),
    ],
)
def test_words(kind: str, count: int, en: str, de: str) -> None:
    assert lens_title(kind, count, "en") == en  # type: ignore[arg-type]
    assert lens_title(kind, count, "de") == de  # type: ignore[arg-type]


def test_a_hub_with_a_thousand_backlinks_is_cheap() -> None:
    hub = parse_note("Hub.md", "# Hub\n" + "".join(f"## Part {n}\n" for n in range(50)))
    others = [
        parse_note(f"n{at}.md", f"[[Hub#Part {at % 50}|x]] [[n{at + 1}]] [[Hub]] text\n" * 2)
        for at in range(500)
    ]
    index = VaultIndex.build([hub, *others])
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        found = code_lenses(index, hub)
        times.append(time.perf_counter() - begin)
    assert [lens.number for lens in found] == [2000, *[20] * 50]
    assert min(times) < 0.02


def _lenses(source: str) -> list[str]:
    vault = Vault.of(source)
    return [_short(lens) for lens in code_lenses(vault.index, vault.document.note)]


def _short(lens: Lens) -> str:
    return f"{lens.place.line if lens.place else 0} {lens.kind} {lens.number}"
