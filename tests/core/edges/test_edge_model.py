"""Edges of random notes against a plain model of the table of written forms."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from core.chunking.chunks import Chunk, chunk_note
from core.chunking.profiles import PROFILES
from core.config.load import load_config
from core.edges.edge import Edge
from core.ingest.relink import Linker
from core.parse import parse_note
from core.store.store import memory_store
from core.vault.index import VaultIndex

CONFIG = load_config()
LINKER = Linker(memory_store(), CONFIG)
NAMES = ("A", "Über uns", "Talk #24 — x", "Nowhere", "Missing #2")
"""Two of them no note has. A `#` in a name belongs to it only where such a note is there."""
THERE = {"A": "A", "Über uns": "ueber", "Talk #24 — x": "talk"}
SYMMETRIC = {"related_to", "similar_to", "contradicts"}
ALIASES = {
    "beeinflusst_von": "influenced_by",
    "blocked_by": "depends_on",
    "siehe_auch": "related_to",
}
KINDS = (
    "depends_on",
    "similar_to",
    "Beeinflusst-von",
    "blocked_by",
    "reimt_sich_auf",
    "siehe_auch",
)
kinds, names = st.sampled_from(KINDS), st.sampled_from(NAMES)


class Said(NamedTuple):
    """What a piece states: kind, name of the target, rule, confidence."""

    kind: str
    name: str
    rule: str
    confidence: float


class Piece(NamedTuple):
    text: str
    said: tuple[Said, ...] = ()


def canonical(kind: str) -> str:
    normal = kind.lower().replace("-", "_").replace(" ", "_")
    return ALIASES.get(normal, normal)


def one(text: str, kind: str, name: str, rule: str, confidence: float) -> Piece:
    return Piece(text, (Said(canonical(kind), name, rule, confidence),))


@st.composite
def bodies(draw: st.DrawFn) -> Piece:
    """One paragraph."""
    kind, name, other, third = draw(kinds), draw(names), draw(names), draw(names)
    plain = ("references", "explicit:wikilink", 1.0)
    rel, field, callout = ("inline:rel", 0.95), ("inline:field", 0.95), ("callout:edge", 0.90)
    second = canonical("contradicts")
    return draw(
        st.sampled_from(
            [
                one(f"Text [[{name}]].", plain[0], name, *plain[1:]),
                one(f"Siehe ![[{name}]]", plain[0], name, *plain[1:]),
                one(f"[[{name}|shown]] 🚢", plain[0], name, *plain[1:]),
                one("x [t](A.md) y", plain[0], "A", "explicit:mdlink", 1.0),
                one("x [t](%C3%9Cber%20uns.md#k) y", plain[0], "Über uns", "explicit:mdlink", 1.0),
                one(f"- [[rel:{kind} {name}]]", kind, name, *rel),
                one(f"[[rel:{kind} {name}|shown]]", kind, name, *rel),
                Piece(
                    f"rel: {kind} [[{name}]] [[{other}]], [[{third}]]",
                    tuple(Said(canonical(kind), n, *rel) for n in (name, other, third)),
                ),
                Piece(
                    f"{kind}:: [[{name}]], [[{other}]]",
                    tuple(Said(canonical(kind), n, *field) for n in (name, other)),
                ),
                one(f"words ({kind}:: [[{name}]]) words", kind, name, *field),
                one(f"words [{kind}:: [[{name}]]] words", kind, name, *field),
                Piece(
                    f"> [!edge] {kind}: [[{name}]] [[{other}]]\n> [[{third}]]\n"
                    "> contradicts: [[A]]",
                    (*(Said(canonical(kind), n, *callout) for n in (name, other, third)),
                     Said(second, "A", *callout)),
                ),
                # the typed form that stands first counts, and makes no plain edge
                one(f"> [!edge] related_to: [[rel:{kind} {name}]]", kind, name, *rel),
                Piece(f"`[[{name}]]` and `rel: {kind} [[{other}]]`"),
                Piece(f"```md\n{kind}:: [[{name}]]\n> [!edge] a: [[{other}]]\n```"),
                Piece(f"<!-- [[{name}]] {kind}:: [[{other}]] -->"),
                Piece(f"%% rel: {kind} [[{name}]] %%"),
                Piece(f"$[[{name}]]$ $$\n[[{other}]]\n$$"),
                Piece("[[n]] [[#Here]] ![[picture.png]] [web](https://example.org/A.md)"),
                Piece("# Kopf\n\n" + "Wörter und Wörter. " * 30),
            ]
        )
    )  # fmt: skip


@st.composite
def fronts(draw: st.DrawFn) -> Piece:
    """One frontmatter key; `#` begins a comment in plain text, so names there are quoted."""
    kind, name, other = draw(kinds), draw(names), draw(names)
    rule = f"frontmatter:{kind}"
    two = tuple(Said(canonical(kind), n, rule, 1.0) for n in (name, other))
    return draw(
        st.sampled_from(
            [
                Piece(f'{kind}: ["[[{name}]]", "[[{other}]]"]', two),
                Piece(f"{kind}:\n  - '[[{name}]]'\n  - \"[[{other}|x]]\"", two),
                Piece(f'{kind}: "[[{name}]] [[{other}]]"', two),
                Piece(f"{kind}: '[[{name}]]'", two[:1]),
                one("assigned_to: A", "assigned_to", "A", "frontmatter:assigned_to", 1.0),
                Piece(
                    'depends_on: [A, ueber, "[[Nowhere]]", Nobody]',
                    tuple(Said("depends_on", n, "frontmatter:depends_on", 1.0)
                          for n in ("A", "Über uns", "Nowhere", "Nobody")),
                ),
                one(f"see: '[[rel:{kind} {name}]]'", kind, name, "frontmatter:see", 1.0),
                Piece("note: no [link] at all, A"),
                Piece(f"# {kind}: [[{name}]]"),
            ]
        )
    )  # fmt: skip


@st.composite
def subjects(draw: st.DrawFn) -> tuple[str, str, list[tuple[int, Piece]], list[Piece]]:
    """A note's text, its type, its paragraphs with their offsets, and its frontmatter."""
    type_ = draw(st.sampled_from(["concept", "task", "experience", "source", "unheard of"]))
    front: dict[str, Piece] = {}
    for piece in draw(st.lists(fronts(), max_size=3)):
        front.setdefault(piece.text.partition(":")[0], piece)
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    text = "\n".join(
        ["---", "id: n", f"type: {type_}", *(p.text for p in front.values()), "---", ""]
    )
    text = text.replace("\n", eol)
    placed = []
    for piece in draw(st.lists(bodies(), max_size=8)):
        placed.append((len(text), piece))
        text += f"{piece.text}\n\n".replace("\n", eol)
    return text, type_, placed, list(front.values())


def target_of(name: str) -> tuple[str, str | None]:
    """Target id and target note; a `#` that belongs to no name begins a heading."""
    if note_id := THERE.get(name):
        return note_id, note_id
    return name.partition("#")[0].strip(), None


def expected(
    placed: list[tuple[int, Piece]], front: list[Piece], chunks: tuple[Chunk, ...], type_: str
) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    chunk_ids = [f"n#c{chunk.index:02d}" for chunk in chunks]
    for at, chunk in enumerate(chunk_ids):
        found.add(
            ("belongs_to", "chunk", chunk, "n", "n", "structure:belongs_to", 1.0, "structure")
        )
        if at:
            before = chunk_ids[at - 1]
            found.add(("prev", "chunk", chunk, before, "n", "structure:prev", 1.0, "structure"))
            found.add(("next", "chunk", before, chunk, "n", "structure:next", 1.0, "structure"))
    written = {("note", "n", *said) for piece in front for said in piece.said}
    for offset, piece in placed:
        if piece.said:
            (inside,) = [chunk for chunk in chunks if chunk.start <= offset < chunk.end]
            written |= {("chunk", f"n#c{inside.index:02d}", *said) for said in piece.said}
    defaults = CONFIG.types.effective(
        parse_note("t.md", f"---\ntype: {type_}\n---\n")
    ).edge_defaults
    stated = {(kind, target_of(name)) for _, _, kind, name, _, _ in written}
    meant = set()
    for scope, source, kind, name, rule, confidence in written:
        target = target_of(name)
        meant.add((kind, scope, source, *target, rule, confidence, "explicit"))
        for default in defaults:
            if (default, target) not in stated:
                named = f"edge_defaults:{type_}:{default}"
                meant.add((default, scope, source, *target, named, 0.7, "rule"))
    mirrors = {
        (kind, "note", note, "n", "n", f"{rule}:mirror", confidence, provenance)
        for kind, _, _, _, note, rule, confidence, provenance in meant
        if note and kind in SYMMETRIC
    }
    return found | meant | mirrors


def others() -> list[tuple[str, str]]:
    return [(f"{name}.md", f"---\nid: {note_id}\n---\n") for name, note_id in THERE.items()]


def plain(edges: list[Edge]) -> list[tuple[object, ...]]:
    return [
        (e.kind, e.scope, e.source_id, e.target_id, e.target_note_id, e.rule_id, e.confidence,
         e.provenance)
        for e in edges
    ]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(subjects(), st.sampled_from(["short", "by_heading", "long"]), st.randoms())
def test_edges_are_what_the_table_says(
    subject: tuple[str, str, list[tuple[int, Piece]], list[Piece]], profile: str, random: object
) -> None:
    text, type_, placed, front = subject
    notes = [parse_note(path, body) for path, body in [("n.md", text), *others()]]
    random.shuffle(notes)  # type: ignore[attr-defined]
    index = VaultIndex.build(notes)
    chunks = chunk_note(index.notes["n.md"], text, PROFILES[profile])
    starts = [chunk.start for chunk in chunks]
    edges = LINKER.edges(index, "n.md", "n", starts)
    found = plain(edges)
    assert len(found) == len({edge.key for edge in edges}) == len({e.edge_id for e in edges})
    assert set(found) == expected(placed, front, chunks, type_)
    for edge in edges:
        if edge.rule_id == "explicit:wikilink" and edge.chunk_id:
            assert text[starts[int(edge.chunk_id[3:])] :].find(edge.written) >= 0
    # the order in which notes come makes no difference, nor does a second time
    grown = VaultIndex()
    for note in notes:
        grown = grown.update([note])
    assert LINKER.edges(grown, "n.md", "n", starts) == edges
    assert LINKER.edges(index, "n.md", "n", starts) == edges
