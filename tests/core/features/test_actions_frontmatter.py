"""Frontmatter by actions: fields are added, ids replaced, and every other byte stays."""

from __future__ import annotations

import pytest

from core.features.code_action import code_actions
from core.ids import path_note_id
from core.model import Span
from core.settings import DEFAULTS
from tests.core.features.kit import Vault

FIELDS = "source.mindnet.addFrontmatter"
OWN_ID = path_note_id("people/Anna: x.md")


def added(text: str, eol: str = "\n") -> str:
    vault = Vault.of(f"//- /people/Anna: x.md\n$0{text}", eol=eol)
    (action,) = vault.actions(only=FIELDS)
    return vault.after(action)["people/Anna: x.md"].replace(eol, "\n")


ALL = (
    f'title: "Anna: x"\nid: {OWN_ID}\ntype: person\nstatus: draft\ncreated: 2031-03-09\n'
)  # fmt: skip
ADDED: dict[str, tuple[str, str]] = {
    "no block": ("# Anna: x\n\nText\n", f"---\n{ALL}---\n\n# Anna: x\n\nText\n"),
    "empty note": ("", f"---\n{ALL}---\n"),
    "empty block": ("---\n---\nText\n", f"---\n{ALL}---\nText\n"),
    "some fields": (
        "---\n# note to self\nstatus:   'active' # really\nTitle: \"T\"\nempty:\n---\n# T\n",
        "---\n# note to self\nstatus:   'active' # really\nTitle: \"T\"\nempty:\n"
        f"id: {OWN_ID}\ntype: person\ncreated: 2031-03-09\n---\n# T\n"),
    "empty fields": (
        "---\nstatus:\ntype:   # which?\nTitle : x\ncreated: \nid: i\nempty:\n---\n",
        "---\nstatus: draft\ntype: person   # which?\nTitle : x\ncreated: 2031-03-09 \nid: i\n"
        "empty:\n---\n"),
    "no line end behind": ("---\ntitle: a\n---",
                           f"---\ntitle: a\n{ALL.partition(chr(10))[2]}---"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ADDED.values(), ids=ADDED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_missing_fields_are_added(text: str, expected: str, eol: str) -> None:
    if eol in text.replace("\n", eol):
        assert added(text, eol) == expected


def test_nothing_is_missing() -> None:
    assert not Vault.of(f"//- /people/Anna: x.md\n---\n{ALL}---\n$0").actions(only=FIELDS)


def test_no_type_where_the_vault_uses_none() -> None:
    vault = Vault.of("//- /a.md\n$0# A\n")
    (action,) = vault.actions(only=FIELDS)
    assert "type:" not in vault.after(action)["a.md"]


FM_02 = {
    "tab": "rank: 3\ntopics:\n  * star\n\t- tab\nempty:\n",
    "colon": "title: a: b\n",
    "list": "- a\n- b\n",
    "text": "just words\n",
    "open bracket": "tags: [a\nb: 1\n",
}


@pytest.mark.parametrize("block", FM_02.values(), ids=FM_02.keys())
def test_fm_02_a_block_that_is_no_yaml_is_left_alone(block: str) -> None:
    vault = Vault.of(f"//- /a.md\n---\n{block}---\n\n$0# Keep\n")
    (action,) = vault.actions(only=FIELDS)
    assert "not valid YAML" in action.disabled
    assert (action.edits, action.creates, action.deferred) == ((), (), None)
    for other in vault.actions(only=""):
        if not other.disabled and not other.kind.startswith("refactor"):
            assert vault.after(other)["a.md"].endswith("# Keep\n")


def test_the_title_line_offers_it_and_other_lines_do_not() -> None:
    def titles(source: str) -> list[str]:
        return [action.title for action in Vault.of(source).actions(only="", explicit=False)]

    assert titles("//- /a.md\n# A$0\n\nText\n") == ["Add frontmatter"]
    assert titles("//- /a.md\n# A\n\nTe$0xt\n") == []
    assert titles("//- /a.md\n---\ntitle: A$0\nid: b\nstatus: draft\ncreated: c\n---\n") == []


def test_missing_field_has_a_fix() -> None:
    wanted = DEFAULTS.diagnostics.model_copy(update={"missing_field": "hint"})
    vault = Vault.of("//- /a.md\n---\ntitle: A$0\nid:\nstatus: x\n---\n")
    (finding,) = vault.diagnose(settings=wanted)
    offered = code_actions(vault.context(), Span(1, 1), [finding])
    (action,) = (item for item in offered if item.kind == "quickfix")
    assert action.diagnostic is finding
    files = vault.after(action)
    own = path_note_id("a.md")
    assert files["a.md"] == f"---\ntitle: A\nid: {own}\nstatus: x\ncreated: 2031-03-09\n---\n"
    assert vault.index.note_id("a.md") == own, "the id that it had all the time"


def test_a_deprecated_field_gets_its_new_name() -> None:
    vault = Vault.of('//- /a.md\n---\nlin$0ks: ["[[b]]"] # x\n---\n//- /b.md\n')
    files = vault.after(vault.action("Rename the field to related_to"))
    assert files["a.md"] == '---\nrelated_to: ["[[b]]"] # x\n---\n'
    both = Vault.of("//- /a.md\n---\nlin$0ks: a\nrelated_to: b\n---\n")
    assert not [a for a in both.actions() if "Rename" in a.title]


def test_duplicate_id() -> None:
    vault = Vault.of("//- /b.md\n---\nid: 'd$01' # mine\n---\n//- /a.md\n---\nid: d1\n---\n")
    own = path_note_id("b.md")
    action = vault.action(f"Give this note the id {own}")
    assert action.preferred
    files = vault.after(action)
    assert files["b.md"] == f"---\nid: {own} # mine\n---\n"
    assert Vault(type(vault.fixture)(files, "b.md", 0, 0)).diagnose() == ()


FIXED: dict[str, tuple[str, str]] = {
    "fm_05 colon": ("---\ntitle: Dams: a start\naliases: [Dam book]\n---\n",
                    '---\ntitle: "Dams: a start"\naliases: [Dam book]\n---\n'),
    "fm_05 comment and reserved": ("---\ntitle: Ticket #12\nauthor: @kim\n---\n# Ticket twelve\n",
                                   '---\ntitle: "Ticket #12"\nauthor: "@kim"\n---\n'
                                   "# Ticket twelve\n"),
    "fm_01 links": ('---\nrelated: [[Foo]]\nparent: "[[Bar|b]]"\nlist:\n  - [[Baz]]\n---\n',
                    '---\nrelated: "[[Foo]]"\nparent: "[[Bar|b]]"\nlist:\n  - "[[Baz]]"\n---\n'),
    "umlaut": ("[[Muehle|x]] [[Muehle#A]] [[Muhlen]]\n", "[[Mühle|x]] [[Mühle#A]] [[Muhlen]]\n"),
    "dashes": ("[m](harbour-wall.md) [[harbour_wall]]\n",
               "[m](Harbour%20wall.md) [[Harbour wall]]\n"),
    "not certain": ("[[Twin-x]] [[Harbor wall]]\n", ""),
    "kind": ("[[rel:haengt_ab_von Foo]] [[rel:depend_on Foo]]\n",
             "[[rel:depends_on Foo]] [[rel:depend_on Foo]]\n"),
    "nothing": ("[[Foo]]\n", ""),
}  # fmt: skip
NOTES = (
    "//- /Foo.md\n//- /Bar.md\n//- /Baz.md\n//- /Mühle.md\n# Mühle\n## A\n//- /Harbour wall.md\n"
    "//- /Twin x.md\n//- /q/Twin_x.md\n"
)


@pytest.mark.parametrize(("text", "expected"), FIXED.values(), ids=FIXED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_fix_all_that_is_certain(text: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n$0{text}{NOTES}", eol=eol)
    actions = list(vault.actions(only="source.fixAll"))
    assert [action.kind for action in actions] == ["source.fixAll.mindnet"] * bool(expected)
    for action in actions:
        files = vault.after(action)
        assert files.pop("n.md") == expected.replace("\n", eol)
        assert files.items() <= vault.fixture.files.items()


def test_in_german() -> None:
    vault = Vault.of("//- /a.md\n$0# A\n")
    assert [a.title for a in vault.actions("de", only=FIELDS)] == ["Frontmatter anlegen"]
