"""Links in other forms: what is written afterwards, byte for byte, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.parse import parse_note
from tests.core.features.kit import Vault

NOTES = "//- /Pump.md\n# Pump\n\n## Big one\n\ntext ^b1\n//- /sub/Old (x).md\n# Old\n"
PLAIN = "Turn into a plain link"
EMBED, UNEMBED = "Embed what is linked", "Turn the embed into a link"
FIELD = "Turn into a field related_to::"
CALLOUT = "Move to the edge callout as related_to"


def titles(text: str) -> list[str]:
    vault = Vault.of(f"//- /a.md\n{text}\n{NOTES}")
    return [action.title for action in vault.actions(only="refactor.rewrite")]


TYPED = "Turn into a relation: depends on (depends_on)"
FORMS: dict[str, tuple[str, str, str]] = {
    "typed": ("x [[Pu$0mp]] y", TYPED, "x [[rel:depends_on Pump]] y"),
    "typed with all": (
        "[[Pu$0mp#Big one|the 🚢]]", TYPED,
        "[[rel:depends_on Pump#Big one|the 🚢]]"),
    "typed in a table": ("| [[Pu$0mp\\|x]] | y |", TYPED, "| [[rel:depends_on Pump\\|x]] | y |"),
    "plain": ("x [[rel:blocks Pu$0mp|y]] z", PLAIN, "x [[Pump|y]] z"),
    "plain, blanks": ("[[ rel: blocks  Pu$0mp]]", PLAIN, "[[ Pump]]"),
    "embedded": ("[[Pu$0mp#Big one]]", EMBED, "![[Pump#Big one]]"),
    "no more embedded": ("![[Pu$0mp]]", UNEMBED, "[[Pump]]"),
    "markdown": ("[[Pu$0mp]]", "Turn into a Markdown link", "[Pump](Pump.md)"),
    "markdown, heading": (
        "[[Pu$0mp#Big one|see [x] y]]", "Turn into a Markdown link",
        "[see \\[x\\] y](Pump.md#big-one)"),
    "markdown, block": ("[[Pu$0mp#^b1]]", "Turn into a Markdown link", "[Pump](Pump.md#^b1)"),
    "markdown, table": ("| [[Pu$0mp\\|x]] | y |", "Turn into a Markdown link",
                        "| [x](Pump.md) | y |"),
    "wikilink": ("[Pu$0mp](Pump.md)", "Turn into a wikilink", "[[Pump]]"),
    "wikilink, heading": ("[the\\[x\\] pu$0mp](./Pump.md#big-one)", "Turn into a wikilink",
                          "[[Pump#Big one|the[x] pump]]"),
    "wikilink, table": ("| [x y$0](Pump.md) | y |", "Turn into a wikilink",
                        "| [[Pump\\|x y]] | y |"),
    "wikilink, brackets": ("[o](<sub/Old$0 (x).md>)", "Turn into a wikilink",
                           "[[Old (x)|o]]"),
    "field, alone": ("- [[Pu$0mp|x]]", FIELD, "- related_to:: [[Pump|x]]"),
    "field, in a sentence": (
        "The [[Pu$0mp|big pump]] is old\nand loud.\n\nNext.", FIELD,
        "The big pump is old\nand loud.\nrelated_to:: [[Pump|big pump]]\n\nNext."),
    "field, in a list": ("- see [[Pu$0mp]]!\n- b", FIELD,
                         "- see Pump!\n  related_to:: [[Pump]]\n- b"),
    "out of a field": ("- related_to:: [[Pu$0mp|x]]", PLAIN, "- [[Pump|x]]"),
    "out of brackets": ("a (blocks:: [[Pu$0mp]]) b", PLAIN, "a [[Pump]] b"),
    "out of a field, back to its words": (
        "The big pump is old\nand loud.\nblocks:: [[Pu$0mp|big pump]]\n\nNext.", PLAIN,
        "The [[Pump|big pump]] is old\nand loud.\n\nNext."),
    "callout, new": ("The [[Pu$0mp]] is old.", CALLOUT,
                     "The Pump is old.\n\n> [!edge]\n> related_to: [[Pump]]"),
    "callout, alone": ("One.\n\n[[Pu$0mp]]\n\nTwo.", CALLOUT,
                       "One.\n\nTwo.\n\n> [!edge]\n> related_to: [[Pump]]"),
    "callout, nothing else": ("[[Pu$0mp]]", CALLOUT, "> [!edge]\n> related_to: [[Pump]]"),
    "callout, kind is there": (
        "The [[Pu$0mp|p]].\n\n> [!edge] related_to: [[x]] [[z]]\n> blocks: [[y]]\n\nEnd.",
        CALLOUT,
        "The p.\n\n> [!edge] related_to: [[x]] [[z]] [[Pump|p]]\n> blocks: [[y]]\n\nEnd."),
    "callout, other kinds": (
        "The [[Pu$0mp]].\n\n> [!edge]\n> zzz: [[y]]\n\nEnd.", CALLOUT,
        "The Pump.\n\n> [!edge]\n> zzz: [[y]]\n> related_to: [[Pump]]\n\nEnd."),
    "out of a callout": (
        "The pump is old.\n\n> [!edge]\n> blocks: [[Pu$0mp|pump]]", PLAIN,
        "The [[Pump|pump]] is old."),
    "out of a callout with more": (
        "Old pump.\n\n> [!edge]\n> blocks: [[x]], [[Pu$0mp|pump]]\n> a: [[y]]", PLAIN,
        "Old [[Pump|pump]].\n\n> [!edge]\n> blocks: [[x]]\n> a: [[y]]"),
    "out of a callout, first": (
        "Old pump.\n\n> [!edge]\n> blocks: [[Pu$0mp|pump]] [[x]]", PLAIN,
        "Old [[Pump|pump]].\n\n> [!edge]\n> blocks: [[x]]"),
    "out of a callout, no words": (
        "Text.\n\n> [!edge]\n> a: [[y]]\n> blocks: [[Pu$0mp]]", PLAIN,
        "Text.\n\n[[Pump]]\n\n> [!edge]\n> a: [[y]]"),
    "out of a callout, the last, no words": (
        "Text.\n\n> [!edge] blocks: [[Pu$0mp]]", PLAIN, "Text.\n\n[[Pump]]"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "title", "expected"), FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_forms(text: str, title: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /a.md\n{text}\n{NOTES}", eol=eol)
    found = vault.after(vault.action(title, only="refactor.rewrite"))["a.md"]
    assert found == f"{expected}\n".replace("\n", eol)


@pytest.mark.parametrize("gap", ["", "\n", "\n\n", "\n\n\n"])
@pytest.mark.parametrize("text", ["The [[Pu$0mp]]", "One.\n\n[[Pu$0mp]]"])
def test_a_callout_at_the_end_stands_alone(text: str, gap: str) -> None:
    vault = Vault.of(f"//- /Pump.md\n//- /a.md\n{text}{gap}")
    found = vault.after(vault.action(CALLOUT))["a.md"]
    above = text.replace("[[Pu$0mp]]", "Pump" if "The" in text else "").rstrip()
    assert found.startswith(f"{above}\n\n")
    assert found.endswith("\n\n> [!edge]\n> related_to: [[Pump]]\n")
    (link,) = parse_note("a.md", found).links
    assert (link.origin, link.relation) == ("callout", "related_to")


def test_no_callout_into_code() -> None:
    assert "Move to the edge" not in " ".join(titles("The [[Pu$0mp]].\n\n```\nopen"))


@pytest.mark.parametrize(
    "text",
    [
        "wo$0rd [[Pump]]",
        "`[[Pu$0mp]]`",
        "```\n[[Pu$0mp]]\n```",
        "---\nup: [[Pu$0mp]]\n---",
        "[x$0](https://example.org)",
        "![[map$0.png]]",
    ],
)
def test_nothing_to_convert(text: str) -> None:
    assert titles(text) == []


def test_a_title_of_a_markdown_link_would_be_lost() -> None:
    assert "Turn into a wikilink" not in titles('[Pu$0mp](Pump.md "the title")')


def test_kinds_that_are_usual_come_first() -> None:
    """In this note, towards this target, between such notes, in the vault; then the defaults."""
    source = (
        "//- /a.md\n---\ntype: task\n---\n[[Pu$0mp]] [[rel:related_to z]]\n"
        "//- /b.md\n[[rel:blocks Pump]] [[rel:odd z]]\n//- /c.md\n[[rel:odd z]]\n" + NOTES
    )
    offered = Vault.of(source).actions(only="refactor.rewrite")
    kinds = [a.title.rpartition("(")[2][:-1] for a in offered if "relation:" in a.title]
    assert kinds == ["related_to", "blocks", "odd", "depends_on"]


def test_a_plain_link_is_no_relation_to_references() -> None:
    assert not [title for title in titles("[[Pu$0mp]]") if "references" in title]


_NAME = st.text(st.sampled_from("abÄ🚢 .-'"), min_size=1, max_size=8).filter(
    lambda name: name.strip() and "#" not in name
)


@settings(max_examples=60, deadline=None)
@given(target=_NAME, alias=st.none() | _NAME, blank=st.sampled_from(["", " "]))
def test_typed_and_back_gives_the_same_bytes(target: str, alias: str | None, blank: str) -> None:
    link = f"[[{blank}{target}{blank}" + (f"|{alias}]]" if alias is not None else "]]")
    text = f"é {link} end\n"
    vault = Vault.of(f"//- /a.md\n{text}".replace(link, f"{link[:2]}$0{link[2:]}"))
    typed = [a for a in vault.actions(only="refactor.rewrite") if "relation:" in a.title]
    assert typed
    for action in typed:
        changed = vault.after(action)["a.md"]
        (found,) = parse_note("a.md", changed).links
        assert found.relation
        assert (found.target, found.alias) == (target.strip(), (alias or "").strip() or None)
        at = changed.index("rel:")
        back = Vault.of(f"//- /a.md\n{changed[:at]}$0{changed[at:]}")
        assert back.after(back.action(PLAIN))["a.md"] == text
