"""Blocks behind `#^`: what has an id, and what gets one when it is chosen."""

from __future__ import annotations

import re

import pytest

from tests.core.features.completion_kit import check, item, offered
from tests.core.features.kit import Vault, applied

NOTE = """\
# Log

Deep water
at the quay.

- a *boat*
  with oars
    - its anchor
- [ ] a buoy ^b1

| x | y |
|---|---|
| 1 | 2 |

> [!quote] Said
> The tide waits.

```
code here
```

<!-- hidden words -->

Last words"""

LABELS = [
    "^b1", "Deep water at the quay.", "a boat with oars", "its anchor",
    "| x | y | |---|---| | 1 | 2 |", "Said The tide waits.", "Last words",
]  # fmt: skip

MARKED = {
    "Deep water at the quay.": "at the quay. ^ID\n",
    "a boat with oars": "  with oars ^ID\n",
    "its anchor": "    - its anchor ^ID\n",
    "| x | y | |---|---| | 1 | 2 |": "| 1 | 2 |\n\n^ID\n\n> [!quote]",
    "Said The tide waits.": "> The tide waits.\n\n^ID\n\n```",
    "Last words": "Last words ^ID",
}


def test_every_block_is_offered_by_its_text() -> None:
    source = f"//- /c.md\n[[N#^$0]]\n//- /N.md\n{NOTE}"
    assert offered(source, edits_elsewhere=True) == LABELS
    assert offered(source, edits_elsewhere=False) == ["^b1"], "the id could not be written"
    assert offered(source.replace("^$0", "^tide$0"), edits_elsewhere=True) == [LABELS[5]]


@pytest.mark.parametrize(("label", "expected"), MARKED.items(), ids=MARKED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_an_id_in_another_note(label: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /c.md\n[[N#^$0]]\n//- /N.md\n{NOTE}", eol=eol)
    chosen = item(vault, label, edits_elsewhere=True)
    (edit,) = chosen.edits
    text = applied(vault.fixture.files["N.md"], edit)
    name = chosen.new_text.removeprefix("^").removesuffix("]]")
    assert re.fullmatch(r"[a-z0-9]{6}", name)
    assert expected.replace("ID", name).replace("\n", eol) in text
    assert edit.path == "N.md"
    # and it is a block of the note then
    again = Vault.of(f"//- /c.md\n[[N#^{name}$0]]\n//- /N.md\n{text}")
    assert [found.label for found in again.complete().items] == [f"^{name}"]
    assert label not in [found.label for found in again.complete(edits_elsewhere=True).items]


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_an_id_in_the_same_note(eol: str) -> None:
    source = f"//- /N.md\nSee [[#^de$0]].\n\n{NOTE}"
    vault = Vault.of(source, eol=eol)
    chosen = item(vault, "Deep water at the quay.")
    text = vault.accept(chosen)
    name = chosen.new_text
    assert f"See [[#{name}]].{eol}" in text
    assert f"at the quay. {name}{eol}" in text
    check(source, chosen.label, text.replace("\r\n", "\n"))


def test_the_block_of_the_cursor_is_not_offered() -> None:
    labels = offered("//- /N.md\nOne line\nand [[#^$0]]\n\nAnother\n")
    assert labels == ["Another"]


def test_ids_are_the_same_every_time_and_never_twice() -> None:
    source = "//- /c.md\n[[N#^$0]]\n//- /N.md\nsame\n\nsame\n"
    first = [found.new_text for found in Vault.of(source).complete(edits_elsewhere=True).items]
    assert len(set(first)) == 2
    assert first == [
        found.new_text for found in Vault.of(source).complete(edits_elsewhere=True).items
    ]


def test_an_id_can_be_found_by_the_text_of_its_block() -> None:
    check("//- /c.md\n[[N#^buo$0]]\n//- /N.md\n" + NOTE, "^b1", "[[N#^b1]]")
