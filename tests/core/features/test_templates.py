"""What a new note begins with: packaged templates, a vault's own, and YAML that stays YAML."""

from __future__ import annotations

import pytest

from core.config.load import load_config
from core.features.templates import Moment, NewNote, fill, formatted, note_text
from core.filename import MAX_BYTES, is_file_name, note_stem
from core.ids import path_note_id
from core.locale import Locale
from core.parse import parse_note

NOW = Moment(2031, 3, 9, 7, 5, 2, weekday=6)
CONFIG = load_config()
HARD = 'Re: budget #2 & "why" — it\'s [[Plan]]?'


def new(title: str, note_type: str = "", path: str = "x/n.md", locale: Locale = "en") -> NewNote:
    return NewNote(path, title, note_type, NOW, locale)


def text(title: str, note_type: str = "", own: str | None = None, locale: Locale = "en") -> str:
    return note_text(new(title, note_type, locale=locale), own, CONFIG.templates)


def test_a_note_without_a_type_is_its_title() -> None:
    assert text("Dam") == "# Dam\n"


def test_the_packaged_template_of_a_type() -> None:
    assert text("Dam", "task", locale="de") == (
        "---\ntype: task\ntitle: Dam\nstatus: draft\ncreated: 2031-03-09\ndue:\npriority:\n---\n\n"
        "# Dam\n\n## Was zu tun ist\n\n- [ ] \n\n## Fertig, wenn\n"
    )


@pytest.mark.parametrize("locale", ["de", "en"])
def test_every_type_has_a_template_in_both_languages(locale: Locale) -> None:
    for name in CONFIG.types.names():
        made = text("T", name, locale=locale)
        note = parse_note("x/n.md", made)
        assert (note.title, note.type, note.problems) == ("T", name, ())
        assert len(note.headings) > 2, name
        assert "{{" not in made


@pytest.mark.parametrize(
    "title",
    [HARD, "Dams: a start", "@kim", "#12", "null", "no", "- a", "a\tb", 'say "x"', "it's", "{{x}}"],
)
@pytest.mark.parametrize(
    "own",
    [
        None,
        "---\ntitle: {{title}}\n---\n",
        '---\ntitle: "{{title}}"\naliases: ["{{title}}"]\n---\n# {{title}}\n',
        "---\ntitle: '{{title}}' # the name\ncreated: {{date}} {{time}}\n---\n",
        "---\naliases:\n  - {{title}}\nup: [{{title}}, b]\n---\n",
        "---\nid: {{id}}\n---\nNo title here.\n",
        "No title here.\n",
    ],
)
def test_lc_05_every_title_is_read_back_exactly(title: str, own: str | None) -> None:
    made = note_text(new(title, "concept"), own, CONFIG.templates)
    note = parse_note("x/n.md", made)
    assert note.problems == ()
    meant = " ".join(title.split())
    assert meant in (note.title, *note.aliases) or f"# {meant}\n" in made
    assert "&amp;" not in made


def test_variables_and_their_formats() -> None:
    own = (
        "---\ntype: {{type}}\nid: {{id}}\n---\n# {{ Title }}\n"
        "{{date}} {{time}} {{date:DD.MM.YYYY}} {{date:dddd, D. MMMM}} {{time:HH[h]mm}} {{other}}\n"
    )
    assert fill(own, new("Dam", "task", locale="de")) == (
        f"---\ntype: task\nid: {path_note_id('x/n.md')}\n---\n# Dam\n"
        "2031-03-09 07:05 09.03.2031 Sonntag, 9. März 07h05 {{other}}\n"
    )
    assert formatted(NOW, "YY-M-D h:mm A ddd MMM", "en") == "31-3-9 7:05 AM Sun Mar"


def test_an_own_template_that_names_no_title_still_gives_what_the_link_means() -> None:
    own = "---\ntags: [x]\n---\n\nText.\n"
    made = note_text(new("Plan: B", path="Plan B.md"), own, CONFIG.templates)
    assert made == "---\ntags: [x]\n---\n\n# Plan: B\n\nText.\n"
    assert note_text(new("n"), own, CONFIG.templates) == own, "the file name says it"


def test_line_ends_are_the_vaults() -> None:
    made = note_text(new("T", "concept"), "---\r\na: 1\n---\nx\r\n", CONFIG.templates, eol="\r\n")
    assert made.replace("\r\n", "") == "---a: 1---# Tx"


LC_07 = {
    'What / why: "locks"?': "What why locks",
    "..": "untitled",
    "CON": "_CON",
    "com1.txt": "_com1.txt",
    "a [b] (c) *": "a b (c)",
    "": "untitled",
    " .hidden. ": "hidden",
    "Straße & Fluß": "Straße & Fluß",
    "a\x00b\u2028c": "a b c",
    "lone\ud800": "lone",
}


@pytest.mark.parametrize(("title", "stem"), LC_07.items(), ids=range(len(LC_07)))
def test_lc_07_names_of_files(title: str, stem: str) -> None:
    assert note_stem(title) == stem
    assert is_file_name(f"{note_stem(title)}.md")


def test_lc_07_long_names_are_cut_between_characters() -> None:
    name = f"{note_stem('港' * 300)}.md"
    assert MAX_BYTES - 3 <= len(name.encode()) <= MAX_BYTES
    assert set(name[:-3]) == {"港"}
    numbered = f"{note_stem('港' * 300, 12)}.md"
    assert numbered.endswith("港 12.md")
    assert len(numbered.encode()) <= MAX_BYTES


@pytest.mark.parametrize("name", ["CON.md", "a:b.md", ".x.md", "x.", "nul", "", "港" * 70 + ".md"])
def test_names_that_no_file_may_have(name: str) -> None:
    assert not is_file_name(name)
