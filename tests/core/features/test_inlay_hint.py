"""What is shown behind links: the text with every hint in `«»` where it stands."""

from __future__ import annotations

import pytest

from core.config.note_types import TypesConfig
from core.features.inlay_hint import inlay_hints, kind_tooltip, title_tooltip
from core.features.view_results import Hint
from core.model import Span
from tests.core.features.kit import RELATIONS, Vault

TYPES = TypesConfig.model_validate(
    {
        "default_type": "concept",
        "default": {"edge_defaults": ["related_to"]},
        "types": {
            "concept": {"edge_defaults": ["references", "related_to"]},
            "task": {"edge_defaults": ["references", "depends_on"], "paths": ["tasks/"]},
            "both": {"edge_defaults": ["depends_on", "related_to"]},
        },
    }
)
REST = """\

//- /20240101-abc.md
# On ships and harbours
//- /deep/bge.md
---
id: embeddings-101
---
# Embeddings 101
//- /idea.md
---
id: q7
---
# The whale
//- /meeting-2024-05.md
# Meeting about the quay
//- /Pump.md
# Main pump
//- /Crew.md
# Crew
"""
TITLES = {
    "an id": ("[[20240101-abc]]", "[[20240101-abc]]«On ships and harbours»"),
    "with a heading": ("[[20240101-abc#X]]", "[[20240101-abc#X]]«On ships and harbours»"),
    "with a path": ("[[./20240101-abc.md]]", "[[./20240101-abc.md]]«On ships and harbours»"),
    "an id without signs": ("[[q7]]", "[[q7]]«The whale»"),
    "typed": ("[[rel:blocks q7]]", "[[rel:blocks q7]]«The whale»"),
    "embedded": ("![[q7]]", "![[q7]]«The whale»"),
    "in frontmatter": ("---\ndepends_on: [q7, '[[20240101-abc]]', Crew]\n---\n",
                       "---\ndepends_on: [q7«The whale», '[[20240101-abc]]«On ships and"
                       " harbours»', Crew]\n---\n"),
    "the title, but for case and dashes": ("[[embeddings-101]]", "[[embeddings-101]]"),
    "a name that says it": ("[[meeting-2024-05]]", "[[meeting-2024-05]]"),
    "words": ("[[Pump]] [[Crew]]", "[[Pump]] [[Crew]]"),
    "an alias": ("[[20240101-abc|ships]]", "[[20240101-abc|ships]]"),
    "Markdown": ("[x](20240101-abc.md)", "[x](20240101-abc.md)"),
    "to nowhere": ("[[20249999-x]]", "[[20249999-x]]"),
    "in code": ("`[[20240101-abc]]`", "`[[20240101-abc]]`"),
}  # fmt: skip
KINDS = {
    "type in frontmatter": ("---\ntype: task\n---\n[[Crew]]", "---\ntype: task\n---\n"
                            "[[Crew]]«→ depends_on»"),
    "first mention alone": ("---\ntype: Task\n---\n[[Crew]] [[crew|x]] [c](Crew.md) [[Pump]]",
                            "---\ntype: Task\n---\n[[Crew]]«→ depends_on» [[crew|x]] [c](Crew.md)"
                            " [[Pump]]«→ depends_on»"),
    "not where it is written": ("---\ntype: task\n---\n[[Crew]] [[rel:depends_on Crew]]",
                                "---\ntype: task\n---\n[[Crew]] [[rel:depends_on Crew]]"),
    "what is left of two": ("---\ntype: both\nrelated_to: ['[[Crew]]']\n---\n[[Crew]] [[Pump]]",
                            "---\ntype: both\nrelated_to: ['[[Crew]]']\n---\n[[Crew]]«→ depends_on»"
                            " [[Pump]]«→ depends_on, related_to»"),
    "the default type is quiet": ("---\ntype: concept\n---\n[[Crew]]",
                                  "---\ntype: concept\n---\n[[Crew]]"),
    "no type": ("[[Crew]]", "[[Crew]]"),
    "an unknown type": ("---\ntype: zzz\n---\n[[Crew]]", "---\ntype: zzz\n---\n[[Crew]]"),
    "not for itself, files and nothing": ("---\ntype: task\n---\n[[n]] [[Gone]] ![[x.png]]",
                                          "---\ntype: task\n---\n[[n]] [[Gone]] ![[x.png]]"),
    "both": ("---\ntype: task\n---\n[[q7]]", "---\ntype: task\n---\n[[q7]]«The whale»"
             "«→ depends_on»"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [*TITLES.values(), *KINDS.values()], ids=[*TITLES, *KINDS]
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_hints(text: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}{REST}", eol=eol)
    own = vault.fixture.text
    found = _hints(vault, Span(0, len(own)))
    for hint in reversed(found):
        own = f"{own[: hint.at]}«{hint.label}»{own[hint.at :]}"
    assert own.replace("\r\n", "\n") == f"{expected}\n"


def test_a_type_by_folder() -> None:
    vault = Vault.of(f"//- /tasks/n.md\n[[Crew]]{REST}")
    assert [hint.label for hint in _hints(vault, Span(0, 9))] == ["→ depends_on"]


def test_only_in_the_range() -> None:
    vault = Vault.of(f"//- /n.md\n[[q7]]\n[[20240101-abc]]\n[[q7]]{REST}")
    assert [hint.label for hint in _hints(vault, Span(10, 12))] == ["On ships and harbours"]


def test_a_title_can_be_taken_over() -> None:
    for text, wanted in (
        ("[[q7]]", "[[q7|The whale]]"),
        ("| [[q7]] |\n|---|", "| [[q7\\|The whale]] |\n|---|"),
    ):
        vault = Vault.of(f"//- /n.md\n{text}{REST}")
        (hint,) = _hints(vault, Span(0, 9))
        own = vault.fixture.text
        after = own[: hint.alias_at] + hint.alias + own[hint.alias_at :]
        assert after == f"{wanted}\n"
        again = Vault.of(f"//- /n.md\n{wanted}{REST}")
        assert again.index.targets("n.md") == ("idea.md",)
        assert _hints(again, Span(0, 9)) == ()


def test_frontmatter_is_not_rewritten() -> None:
    vault = Vault.of(f"//- /n.md\n---\ndepends_on: ['[[q7]]', q7]\n---\n{REST}")
    assert [hint.alias for hint in _hints(vault, Span(0, 50))] == ["", ""]


def test_tooltips() -> None:
    vault = Vault.of(f"//- /n.md\n---\ntype: task\n---\n[[Crew]]{REST}")
    crew = vault.index.notes["Crew.md"]
    assert "**Crew**" in title_tooltip(crew, vault.text_of, "markdown")
    assert title_tooltip(crew, lambda _: None, "plaintext") == "Crew"
    note = vault.document.note
    text = kind_tooltip(note, "depends_on", TYPES, RELATIONS, "en")
    assert "depends on" in text
    assert "type task" in text
    text = kind_tooltip(note, "depends_on", TYPES, RELATIONS, "de")
    assert "hängt ab von" in text
    assert "Typ task" in text


def _hints(vault: Vault, span: Span) -> tuple[Hint, ...]:
    return inlay_hints(vault.index, vault.document, span, TYPES, RELATIONS)
