"""What was imported comes back byte for byte, and what differs is named."""

from __future__ import annotations

import os
import unicodedata
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.config.load import load_config
from core.errors import AlreadyExists, InvalidArguments, MindnetError, NotIndexed, OutsideVault
from core.ingest.hashing import HashOptions
from core.ingest.pipeline import Importer
from core.roundtrip.compare import Comparison, compare
from core.roundtrip.export import Exporter
from core.roundtrip.stored import StoredNote, StoredTotal, stored_notes
from core.store.store import Store, memory_store
from core.text import decode
from core.vault.scan import scan

REPOSITORY = Path(__file__).parents[3]
SHARED = REPOSITORY.parent / "shared" / "vaults"
VAULTS = [
    REPOSITORY / "examples" / "vault",
    *sorted(p for p in (*SHARED.glob("*/vault"), *SHARED.glob("*/notes")) if p.is_dir()),
]

ODD = {
    "plain.md": b"# Plain\n\n[[crlf]]\n",
    "crlf.md": b"---\r\ntitle: C\r\n---\r\n# CRLF\r\n\r\n[[plain]]\r\n",
    "cr.md": b"# CR\rone\rtwo\r",
    "mixed.md": b"a\r\nb\nc\rd\n\r\n",
    "bom.md": "\ufeff---\ntitle: Bom\n---\ntext\n".encode(),
    "two-boms.md": "\ufeff\ufefftext".encode(),
    "bom-only.md": "\ufeff".encode(),
    "bom-inside.md": "a\ufeffb".encode(),
    "nul.md": b"a\0b\0\0c\n",
    "latin-1.md": "Größe und Öl\n".encode("latin-1"),
    "utf-16.md": "Größe\n".encode("utf-16"),
    "cut-off.md": "Schiff 🚢".encode()[:-1],
    "all-bytes.md": bytes(range(256)),
    "surrogates.md": b"\xed\xa0\x80 and \xed\xb0\x80",
    "replacement.md": "already \ufffd there".encode(),
    "empty.md": b"",
    "blank.md": b" \n\t\r\n\n",
    "no-end.md": b"no line end",
    "separators.md": "a\u2028b\u2029c\u0085d\x0ce\x1ff".encode(),
    "frontmatter only.md": b"---\nraw: mine\nfulltext: 3\nhash_signature: x\n---\n",
    "broken frontmatter.md": b"---\na: [\nb: }\n---\ntext",
    "🚢 emoji/⚓.md": "🧑‍🚀 [[🚢 emoji/⚓#x|y]]".encode(),
    unicodedata.normalize("NFD", "Größe/Übung.md"): unicodedata.normalize("NFD", "Öl").encode(),
    "UPPER.MARKDOWN": b"upper",
    "dots.in.name.md": b"x",
    " blank at both ends .md": b"x",
    "n" * 200 + ".md": b"long name",
    "deep/" * 12 + "x.md": b"deep",
    "large.md": "Zeile mit Umlaut ä und [[plain]].\n".encode() * 9000,
}


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def imported(root: Path) -> Store:
    store = memory_store()
    importer = Importer(root, store, None, load_config(root))
    assert importer.sync().failed == []
    return store


def exported(store: Store, root: Path, out: Path) -> None:
    exporter = Exporter(out, root)
    for line in stored_notes(store):
        if isinstance(line, StoredNote):
            # as it comes over HTTP
            note = StoredNote.model_validate_json(line.model_dump_json())
            assert exporter.write(note) == "written"


def compared(root: Path, out: Path) -> Comparison:
    return compare(root, out, (), HashOptions(), load_config(root))


def write(root: Path, files: dict[str, bytes]) -> Path:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


def test_odd_files(tmp_path: Path) -> None:
    root, out = write(tmp_path / "vault", ODD), tmp_path / "out"
    store = imported(root)
    kept = {str(p.payload["path"]) for p in store.notes.scan() if "raw" in p.payload}
    exact = {path for path, content in ODD.items() if is_exact(content)}
    assert kept == ODD.keys() - exact - {"frontmatter only.md"}
    assert {"crlf.md", "cr.md", "separators.md", "empty.md"} <= exact
    exported(store, root, out)
    assert {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()} == ODD.keys()
    for path, content in ODD.items():
        assert (out / path).read_bytes() == content, path
    found = compared(root, out)
    assert (found.notes, found.differences) == (len(ODD), [])
    # the copy is imported to the very same
    again = imported(out)
    for role in ("notes", "chunks", "edges"):
        pair = [{p.id: p.payload for p in getattr(s, role).scan()} for s in (store, again)]
        assert pair[0] == pair[1]


def is_exact(content: bytes) -> bool:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    return not text.startswith("\ufeff") and "\0" not in text


@given(
    st.binary(max_size=60) | st.text(max_size=30).map(encoded) | st.sampled_from([*ODD.values()])
)
def test_any_bytes_come_back(data: bytes) -> None:
    """From a file to what is stored, over HTTP, and back."""
    read = decode(data)
    raw = None if read.exact else data
    stored = StoredNote.model_validate_json(note("x.md", read.text, raw).model_dump_json())
    assert stored.content == data


@pytest.mark.parametrize("vault", VAULTS, ids=lambda path: path.parent.name)
def test_real_vaults(vault: Path, tmp_path: Path) -> None:
    if len(scan(vault).notes) > 300:
        notes = [*scan(vault).notes][::5]
        root = write(tmp_path / "vault", {path: (vault / path).read_bytes() for path in notes})
    else:
        root = vault
    store = memory_store()
    failed = Importer(root, store, None, load_config(root)).sync().failed
    exported(store, root, tmp_path / "out")
    found = compared(root, tmp_path / "out")
    assert {one.path for one in found.differences} == {one.path for one in failed}
    assert found.notes == store.notes.count() > 0
    assert found.chunks == store.chunks.count()


def test_the_order_is_that_of_the_paths(tmp_path: Path) -> None:
    store = imported(write(tmp_path / "vault", ODD))
    *notes, total = stored_notes(store)
    assert total == StoredTotal(notes=len(ODD))
    paths = [note.path for note in notes if isinstance(note, StoredNote)]
    assert paths == sorted(ODD)


def note(path: str, text: str | None = "x", raw: bytes | None = None) -> StoredNote:
    encoded = None if raw is None else b64encode(raw).decode()
    return StoredNote(note_id="n", path=path, text=text, raw=encoded)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/x.md",
        "../x.md",
        "a/../../x.md",
        "a//x.md",
        "./x.md",
        "a/./x.md",
        "x.txt",
        ".md",
        ".hidden.md",
        ".obsidian/x.md",
        "a\0b.md",
        "link/x.md",
    ],
)
def test_nothing_is_written_outside(tmp_path: Path, path: str) -> None:
    """Whatever a store says, also where a link in the folder leads elsewhere."""
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (out / "link").symlink_to(elsewhere)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutsideVault):
        Exporter(out, tmp_path / "vault").write(note(path))
    assert sorted(tmp_path.rglob("*")) == before


def test_never_over_another_file(tmp_path: Path) -> None:
    out = write(tmp_path / "out", {"a.md": b"mine", "same.md": b"x", "folder.md/in.md": b""})
    (out / "link.md").symlink_to(out / "same.md")
    (out / "dead.md").symlink_to(out / "nothing")
    exporter = Exporter(out, tmp_path / "vault")
    for path in ("a.md", "folder.md", "link.md", "dead.md"):
        with pytest.raises(AlreadyExists, match=path):
            exporter.write(note(path))
    assert exporter.write(note("same.md")) == "same"
    assert exporter.write(note("new.md", "", b"\xff")) == "written"
    with pytest.raises(NotIndexed):
        exporter.write(note("stub.md", None))
    assert (out / "a.md").read_bytes() == b"mine"
    assert (out / "new.md").read_bytes() == b"\xff"
    assert not [name for name in os.listdir(out) if name.endswith(".tmp")]


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    exporter = Exporter(tmp_path / "out", tmp_path / "vault")
    assert exporter.write(note("a/b.md", "new")) == "written"
    assert exporter.write(note("a/b.md", "new")) == "same"
    with pytest.raises(MindnetError):
        exporter.write(note("a/b.md", "other"))
    assert os.listdir(tmp_path / "out" / "a") == ["b.md"]


def test_not_into_the_vault(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", {"a.md": b"x"})
    (tmp_path / "file").write_text("")
    for folder in (root, root / "out", root / "sub" / ".." / "x", tmp_path / "file"):
        with pytest.raises(InvalidArguments):
            Exporter(folder, root)
    assert os.listdir(root) == ["a.md"]


def test_differences_are_named(tmp_path: Path) -> None:
    files = {"a.md": b"eins\nzwei\n", "b.md": b"x\n", "c.md": b"same", "d.md": b"x\ny\n"}
    root = write(tmp_path / "vault", files)
    out = write(
        tmp_path / "out", {**files, "a.md": b"eins\nzwie\n", "e.md": b"", "d.md": b"x\r\ny\n"}
    )
    (out / "b.md").unlink()
    (out / "picture.png").write_bytes(b"")
    found = compared(root, out)
    assert [(one.path, one.reason) for one in found.differences] == [
        ("a.md", "content"),
        ("b.md", "missing"),
        ("d.md", "content"),
        ("e.md", "extra"),
    ]
    first, _, ends, _ = found.differences
    assert (first.line, first.byte, first.same_hash, first.chunks) == (2, 8, False, (1, 1))
    assert (ends.line, ends.byte, ends.same_hash) == (1, 2, True)
    assert (found.notes, found.chunks) == (1, 1)


def test_what_is_longer_differs_behind_the_end(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", {"a.md": b"one\n"})
    out = write(tmp_path / "out", {"a.md": b"one\ntwo\n"})
    (one,) = compared(root, out).differences
    assert (one.line, one.byte) == (2, 5)
