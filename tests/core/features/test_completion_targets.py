"""Which notes, files and missing notes are offered as targets, and in which order."""

from __future__ import annotations

import pytest

from tests.core.features.completion_kit import check, item, offered
from tests.core.features.kit import Vault

HARBOUR = "\n//- /Harbour.md\n# Harbour\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Ha$0]]", "[[Harbour]]"),
        ("[[Ha$0", "[[Harbour]]"),
        ("[[Ha$0|port]]", "[[Harbour|port]]"),
        ("![[Ha$0]]", "![[Harbour]]"),
        ("| [[Ha$0\\|port]] |", "| [[Harbour\\|port]] |"),
        ("🚢 ü [[Ha$0]] [[x]]", "🚢 ü [[Harbour]] [[x]]"),
        ("[[Ha$0#Quay|port]]", "[[Harbour#Quay|port]]"),
        ("[[rel:blocks Ha$0]]", "[[rel:blocks Harbour]]"),
        ("[x](Ha$0)", "[x](Harbour.md)"),
        ("[x](<Ha$0>)", "[x](<Harbour.md>)"),
    ],
)
def test_ed_01_brackets_never_double(text: str, expected: str, eol: str) -> None:
    check(f"//- /c.md\n{text}{HARBOUR}", "Harbour", expected, eol=eol)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("2032-05 dredge c", "2032-05-17 Dredge crew"),
        ("dredge 2032", "2032-05-17 Dredge crew"),
        ("crew dredge", "2032-05-17 Dredge crew"),
        ("2032-05-17 Dredge crew.md", "2032-05-17 Dredge crew.md"),
        ("harbour r", "⚓ Harbour round"),
        ("⚓ ha", "⚓ Harbour round"),
        ("fleet/2032", "fleet/2032-05-17 Dredge crew"),
    ],
)
@pytest.mark.parametrize("form", ["[[{}$0", "[[{}$0]]", "rel: blocks [[{}$0", "![[{}$0]]"])
def test_ed_02_no_item_is_filtered_away(typed: str, shown: str, form: str) -> None:
    vault = Vault.of(
        f"//- /c.md\n{form.format(typed)}\n"
        "//- /fleet/2032-05-17 Dredge crew.md\n---\naliases: [⚓ Harbour round]\n---\n"
    )
    found = vault.complete().items[0]
    assert vault.fixture.text[found.replace.start : found.replace.end] == typed
    assert found.filter_text.removesuffix(f" {typed}") == shown


def test_ed_02_slugs_and_paths() -> None:
    check("//- /c.md\n[x](Dock.md#We$0\n//- /Dock.md\n## West\n", "West", "[x](Dock.md#west)")
    found = Vault.of("//- /a/c.md\n[x](../b/P$0)\n//- /b/Pump.md\n").complete().items[0]
    assert found.filter_text == "../b/Pump.md"


def test_pr_03_an_alias_in_a_table_keeps_its_backslash() -> None:
    pump = "\n//- /Pump.md\n---\naliases: [main pump]\n---\n"
    table = "| Part | Where |\n|---|---|\n| [[mai$0 | x |"
    check(f"//- /c.md\n{table}{pump}", "main pump", table.replace("mai$0", r"Pump\|main pump]]"))
    table = table.replace("mai$0", r"Pump\|$0]]")
    check(f"//- /c.md\n{table}{pump}", "main pump", table.replace("$0", "main pump"))
    check(f"//- /c.md\nA | B\n--- | ---\n[[mai$0{pump}", "main pump",
          "A | B\n--- | ---\n[[Pump\\|main pump]]")  # fmt: skip


def test_pr_06_dots_are_part_of_names() -> None:
    vault = "//- /c.md\n[[v1$0\n//- /v1.2 plan.md\n# Step 1.5\n//- /v1.2 map.png\n"
    check(vault, "v1.2 plan", "[[v1.2 plan]]")
    check(vault, "v1.2 map.png", "[[v1.2 map.png]]")
    check(vault.replace("v1$0", "v1.2 plan#$0"), "Step 1.5", "[[v1.2 plan#Step 1.5]]")


def test_pr_09_the_shortest_path_that_is_unique() -> None:
    vault = "//- /{}\n[[Int$0\n//- /x/Intro.md\n//- /y/Intro.md\n//- /y/deep/Other.md\n"
    for path in ("top.md", "y/Read.md", "z/Read.md"):
        texts = {found.new_text for found in Vault.of(vault.format(path)).complete().items}
        assert texts == {"x/Intro]]", "y/Intro]]"}
    assert Vault.of(vault.format("y/Read.md")).complete().items[0].new_text == "y/Intro]]"


def test_pr_10_blanks_stay_in_wikilinks_and_are_encoded_in_paths() -> None:
    vault = "//- /c.md\n{}\n//- /Pump House.md\n"
    check(vault.format("[[Pum$0"), "Pump House", "[[Pump House]]")
    check(vault.format("[p](Pum$0"), "Pump House", "[p](Pump%20House.md)")
    check(vault.format("[p](<Pum$0"), "Pump House", "[p](<Pump House.md>)")
    check(vault.format("[p](Pump%20H$0)"), "Pump House", "[p](Pump%20House.md)")


def test_pr_12_headings_as_links_can_hold_them() -> None:
    notes = "//- /N.md\n# Log\n## `init` step?\n## Wind / Tide: A & B\n## 港の話\n## a [b] | c\n"
    vault = Vault.of("//- /c.md\n[[N#$0]]\n" + notes)
    assert [found.new_text for found in vault.complete().items] == [
        "Log", "init step?", "Wind / Tide: A & B", "港の話", "a b c",
    ]  # fmt: skip
    vault = Vault.of("//- /c.md\n[m](N.md#$0)\n" + notes)
    assert [found.new_text for found in vault.complete().items][1:3] == [
        "init-step", "wind--tide-a--b",
    ]  # fmt: skip


def test_dg_07_what_is_being_typed_is_no_missing_note() -> None:
    word = "Harbour"
    for length in range(1, len(word) + 1):
        for form in ("[[{}$0]]", "[[{}$0", "[[{}$0|x]]", "rel: blocks [[{}$0]]", "![[{}$0]]"):
            text = form.format(word[:length])
            assert offered(f"//- /c.md\n{text}\n//- /zz.md\n") == []
            assert offered(f"//- /c.md\n{text} and {text.replace('$0', '')}\n") in (
                [], [word[:length]],
            )  # fmt: skip


def test_missing_notes_by_their_links() -> None:
    vault = Vault.of(
        "//- /c.md\n[[Go$0\n"
        "//- /a.md\n[[Gone]] [[gone]] [[Gold]] [[Gold]] [[Gold]] [[x/Goat]]\n//- /Goal.md\n"
    )
    items = vault.complete(locale="de").items
    assert [(found.label, found.description) for found in items] == [
        ("Goal", ""), ("Gold", "3 ×"), ("Gone", "1 ×"), ("x/Goat", "1 ×"),
    ]  # fmt: skip
    assert {found.detail for found in items[1:]} == {"noch nicht geschrieben"}
    assert vault.accept(items[3]) == "[[x/Goat]]\n"


def test_before_anything_is_typed_only_missing_notes_that_many_want() -> None:
    labels = offered("//- /c.md\n[[$0\n//- /a.md\n[[Gone]] [[Gold]] [[Gold]]\n")
    assert labels == ["a", "Gold"]


def test_notes_that_were_worked_on_go_first() -> None:
    source = "//- /c.md\n[[$0\n" + "".join(f"//- /N{at}.md\n" for at in range(9))
    source += "//- /far/N hub.md\n//- /x.md\n[[N hub]] [[N3]] [[N3]]\n"
    recent = ("far/N hub.md", "N7.md", "gone.md")
    assert offered(source)[:2] == ["N3", "N0"]
    assert offered(source, recent=recent)[:3] == ["N hub", "N7", "N3"]
    assert offered(source.replace("[[$0", "[[n$0"), recent=recent)[:3] == ["N hub", "N7", "N3"]
    assert offered(source.replace("[[$0", "[[n5$0"), recent=recent)[0] == "N5"


def test_own_names_go_before_aliases() -> None:
    source = "//- /c.md\n[[{}$0\n//- /Pump.md\n//- /z.md\n---\naliases: [Pumpe, PU]\n---\n[[z]]"
    assert offered(source.format("pum")) == ["Pump", "Pumpe"]
    assert offered(source.format("pu"))[0] == "PU", "a whole name is no beginning"


def test_a_hub_is_among_many() -> None:
    many = "".join(f"//- /deep/A{at:03}.md\n" for at in range(320))
    source = f"//- /c.md\n[[a$0\n{many}//- /deep/A very long name of a hub.md\n"
    source += "//- /x.md\n[[A very long name of a hub]]\n"
    assert offered(source)[0] == "A very long name of a hub"


def test_words_of_the_folder_help_where_names_are_few() -> None:
    source = "//- /c.md\n[[fleet crew$0\n//- /fleet/Crew.md\n//- /other/Crew list.md\n"
    assert offered(source) == ["Crew"]


def test_far_fetched_letters_are_no_match() -> None:
    name = "A rather long title about nothing in particular"
    assert offered(f"//- /c.md\n[[atnp$0\n//- /{name}.md\n") == []


FILES = "\n//- /pics/map.png\n//- /pics/b/map.png\n//- /doc.pdf\n//- /Map.md\n"


def test_embeds_offer_notes_then_files() -> None:
    assert offered(f"//- /c.md\n![[$0{FILES}") == ["Map", "map.png", "map.png", "doc.pdf"]
    check(f"//- /c.md\n![[do$0]]{FILES}", "doc.pdf", "![[doc.pdf]]")
    vault = Vault.of(f"//- /c.md\n![[map.p$0]]{FILES}")
    assert [found.new_text for found in vault.complete().items] == [
        "pics/map.png", "pics/b/map.png", "Map",
    ]  # fmt: skip


def test_files_have_room_in_an_embed_of_a_large_vault() -> None:
    notes = "".join(f"//- /N{at}.md\n" for at in range(20))
    found = Vault.of(f"//- /c.md\n![[$0\n{notes}{FILES}").complete(limit=9)
    assert [item.kind for item in found.items].count("file") == 3
    assert found.incomplete
    assert "doc.pdf" not in offered(f"//- /c.md\n[[$0\n{notes}{FILES}")
    assert "doc.pdf" in offered(f"//- /c.md\n[[do$0\n{notes}{FILES}")


def test_images_offer_images_first() -> None:
    labels = offered(f"//- /a/c.md\n![]($0{FILES}")
    assert labels == ["map.png", "map.png", "Map", "doc.pdf"]
    check(f"//- /a/c.md\n![x](map$0){FILES}", "map.png", "![x](../pics/map.png)")
    check(f"//- /a/c.md\n[x](do$0){FILES}", "doc.pdf", "[x](../doc.pdf)")
    spaced = "//- /c.md\n![](my$0\n//- /my map (2).png\n"
    check(spaced, "my map (2).png", "![](my%20map%20(2).png)")
    check(spaced.replace("(my$0", "(<my$0"), "my map (2).png", "![](<my map (2).png>)")


def test_details_say_type_and_folder() -> None:
    vault = Vault.of("//- /c.md\n[[Pla$0\n//- /30_projects/Plan.md\n")
    assert item(vault, "Plan").detail == "project · 30_projects"
