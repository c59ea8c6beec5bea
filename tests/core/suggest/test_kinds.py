"""The kind of a suggested edge: by the words before it, and by the vault's habits."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.load import load_config
from core.parse import parse_note
from core.suggest.company import company
from core.suggest.kinds import by_habit, by_wording
from core.vault.index import VaultIndex
from tests.core.retrieval.kit import Space
from tests.support.fixture import parse_fixture

RELATIONS = load_config().relations


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("This depends on the $0Pump.", "depends_on"),
        ("Das hängt ab von der großen $0Pumpe.", "depends_on"),
        ("The plan requires $0Pump.", "depends_on"),
        ("It is part of $0Mill.", "part_of"),
        ("Der Plan widerspricht dem $0Budget.", "contradicts"),
        ("Der Plan widerspricht nicht dem $0Budget.", None),
        ("It does not depend on, nor requires $0Pump.", None),
        ("It depends on water. The $0Pump stands.", None),
        ("It depends on the weather, the river and the $0Pump.", None),
        ("A similar $0Pump.", None),
        ("This is similar to $0Pump.", "similar_to"),
        ("See the $0Pump.", None),
        ("Beeinflusst von $0Arendt.", "influenced_by"),
        ("derived\nfrom $0Pump", "derived_from"),
        ("$0Pump depends on it.", None),
    ],
)
def test_wording(text: str, kind: str | None) -> None:
    fixture = parse_fixture(f"//- /a.md\n{text}")
    found = by_wording(fixture.text, fixture.start, RELATIONS)
    assert (found and found.kind) == kind
    if found is not None:
        assert found.words in " ".join(fixture.text.split())
        assert found.reason(RELATIONS, "en").startswith(f"“{found.words}” stands before it: ")
        assert found.reason(RELATIONS, "de").startswith(f"davor steht „{found.words}“: ")


def vault(*links: str, more: str = "") -> VaultIndex:
    notes = [parse_note("p.md", "---\ntype: project\n---\nP")]
    for number, link in enumerate(links):
        text = f"---\ntype: task\n---\n{link} [[rel:supports t0]]"
        notes.append(parse_note(f"t{number}.md", text))
    return VaultIndex.build([*notes, parse_note("open.md", f"---\ntype: task\n---\n{more}")])


@pytest.mark.parametrize(
    ("links", "plain", "expected"),
    [
        (["[[rel:part_of p]]"] * 3, False, ("part_of", 3, 3)),
        (["[[rel:part_of p]]"] * 2, False, None),
        (["[[rel:part_of p]]"] * 3 + ["[[rel:blocks p]]"], False, ("part_of", 3, 4)),
        (["[[rel:part_of p]]"] * 3 + ["[[rel:blocks p]]"] * 3, False, None),
        (["[[rel:part_of p]]"] * 3 + ["[[p]]"] * 3, False, ("part_of", 3, 3)),
        (["[[rel:part_of p]]"] * 3 + ["[[p]]"] * 3, True, None),
        (["part_of:: [[p]]\n\n", "rel:teil_von [[p]]", "[[rel:part_of p]]"], True,
         ("part_of", 3, 3)),
    ],
)  # fmt: skip
def test_habits(links: list[str], plain: bool, expected: tuple[str, int, int] | None) -> None:
    index = vault(*links)
    found = by_habit(index, load_config(), index.notes["open.md"], ("task", "project"), plain=plain)
    assert (found and (found.kind, found.count, found.total)) == expected
    if found is not None:
        count = f"{found.count} of {found.total} relations from task to project here"
        assert found.reason(RELATIONS, "en") == f"{count}: is part of"


def test_the_kind_and_its_reason_reach_the_suggestion(tmp_path: Path) -> None:
    space = Space.of(
        tmp_path,
        """\
//- /Handpumpe.md
Wasser.
//- /plan.md
Der Plan hängt ab von der Handpumpe.
//- /other.md
Die Handpumpe steht.
""",
        vectors=False,
    )
    (found,) = space.suggest("plan.md", locale="de")
    assert (found.kind, found.new_text) == ("depends_on", "[[rel:depends_on Handpumpe]]")
    assert found.reasons == [
        "Zeile 1 nennt „Handpumpe“ als „Handpumpe“",
        "davor steht „hängt ab von“: hängt ab von",
    ]
    (plain,) = space.suggest("plan.md", form="wikilink")
    assert (plain.kind, plain.edge_kind, plain.new_text) == (
        "references",
        "depends_on",
        "[[Handpumpe]]",
    )
    assert len(plain.reasons) == 1, "a plain link does not say the kind"
    assert space.suggest("other.md")[0].kind == "references"


def test_company() -> None:
    notes = {
        "a": "[[x]] [[y]]", "b": "[[x]] [[y]]", "c": "[[x]]", "x": "", "y": "",
        "m": "[[p]] [[q]]", "n": "[[p]] [[q]]", "p": "", "q": "",
    }  # fmt: skip
    index = VaultIndex.build([parse_note(f"{name}.md", text) for name, text in notes.items()])
    found = company(index, "a.md")
    assert list(found) == ["b.md"], "one common neighbour may be chance"
    assert found["b.md"].shared == ["x.md", "y.md"]
    both = company(index, "p.md")["q.md"]
    assert (both.citing, both.shared) == (["m.md", "n.md"], [])
    assert 0 < both.score <= 1
    assert company(index, "nowhere.md") == {}


def test_a_hub_is_no_company() -> None:
    many = [parse_note(f"n{i}.md", "[[hub]] [[other hub]]") for i in range(150)]
    index = VaultIndex.build([*many, parse_note("hub.md", ""), parse_note("other hub.md", "")])
    assert company(index, "n1.md") == {}
