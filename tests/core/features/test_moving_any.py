"""Whatever moves wherever in whatever vault: afterwards every link means what it meant."""

from __future__ import annotations

import posixpath
from urllib.parse import quote

from hypothesis import given, settings
from hypothesis import strategies as st

from core.features.moving import move
from tests.core.features.moving_kit import Files, after, check_kept, index_of

FOLDERS = ["", "a/", "a/b/", "Ä c/", "x/"]
STEMS = [
    "x", "X", "Größe", "v1.2 plan", "it's", "C# tips", "100% done", "Pump_(old)", "a, b", "index",
    "a", "img.png", "T one", "key: value", "- dash", "null", "rel:k x", "(", "a^b", "q [1]", "id-1",
    "50%25", "ab:c", "x'\"y", "mailto:x", "b", "label",
]  # fmt: skip
SUFFIXES = [".md", ".md", ".md", ".markdown", ".png", ".txt", ""]
paths = st.builds(
    lambda folder, stem, suffix: folder + stem + suffix,
    st.sampled_from(FOLDERS), st.sampled_from(STEMS), st.sampled_from(SUFFIXES),
)  # fmt: skip
HEADS = [
    "", "# T one\n", "# a\n", "---\nid: id-1\n---\n", "---\ntitle: Größe\naliases: [x, Al]\n---\n",
    "---\naliases: b\n---\n# [[x]]\n", "# id-1\n\n## Sub\n",
]  # fmt: skip
WIKI = [
    "[[{}]]", "![[{}]]", "[[{}|shown]]", "[[{}#Sub]]", "[[{}#^b1|s]]", "| a | [[{}\\|s]] |\n",
    "[[rel:kind {}]]", "kind:: [[{}]]\n", "> [!edge] kind: [[{}]]\n", "[[label|{}]]",
    "[[Al|{}#Sub]]", "## [[{}]]\n", "[[ {} ]]", "[[{}#x]]", "[[{}#X|s]]", "## [[{}]] [[x]]\n",
    "[[dendron://v/{}]]", "[[l|dendron://v/{}]]", "## s [[x|s]]\n[[{}#s s]]",
]  # fmt: skip
MARKDOWN = [
    "[t]({})", "![t]({})", "[t](<{}>)", "[t]({}#sub)", "\n[d]: {}\n\n[d]\n", "[t]({} 'x')",
    "[t]({}#x)",
]  # fmt: skip
YAML = ['"[[{}]]"', "'[[{}|s]]'", "[[{}]]", '["[[{}]]", x]', "\n  - '[t]({})'\n  - [[{}]]"]
TEXT = ["{}", '"{}"', "[{}, x]", "\n  - '{}'"]


def spell(path: str, folder: str, how: int) -> str:
    """One of the ways to name a file from a folder."""
    bare = path.removesuffix(".md").removesuffix(".markdown")
    near = posixpath.relpath(bare, folder or ".")
    ways = (
        bare.rpartition("/")[2], bare, path, path.rpartition("/")[2], "/" + bare, near,
        near + ".md", "./" + near, bare.upper(), path.rpartition("/")[0] or ".", near + "/..",
        "/".join(bare.split("/")[-2:]),
    )  # fmt: skip
    return ways[how % len(ways)]


@st.composite
def vaults(draw: st.DrawFn) -> Files:
    names = draw(st.lists(paths, min_size=1, max_size=6, unique=True))
    files: Files = dict.fromkeys(names, "")
    for path in names:
        if not path.endswith((".md", ".markdown")):
            continue
        folder = path.rpartition("/")[0]
        target = st.builds(
            spell, st.sampled_from(names) | paths, st.just(folder), st.integers(0, 11)
        )
        head, front = draw(st.sampled_from(HEADS)), []
        for number in range(draw(st.integers(0, 2))):
            name = draw(target)
            source = draw(st.sampled_from(YAML + TEXT))
            if source not in TEXT and "(" in source:
                name = quote(name)
            key = "depends_on" if source in TEXT else f"k{number}"
            front.append(f"{key}: {source.replace('{}', name)}\n")
        if front and not head.startswith("---"):
            head = f"---\n{''.join(front)}---\n{head}"
        body = []
        for _ in range(draw(st.integers(0, 4))):
            name = draw(target)
            source = draw(st.sampled_from(WIKI + MARKDOWN))
            if source in MARKDOWN and "<" not in source and draw(st.booleans()):
                name = quote(name)
            body.append(source.replace("{}", name))
        files[path] = head + draw(st.sampled_from([" ", "\n", "\n\n"])).join(body)
    return files


@st.composite
def moved(draw: st.DrawFn) -> tuple[Files, dict[str, str]]:
    files = draw(vaults())
    moves: dict[str, str] = {}
    for path in draw(st.lists(st.sampled_from(sorted(files)), max_size=3, unique=True)):
        if draw(st.booleans()):
            new = draw(paths)
        else:
            folder = draw(st.sampled_from(FOLDERS))
            new = folder + path.rpartition("/")[2]
        note = path.endswith((".md", ".markdown"))
        if new in moves.values() or note != new.endswith((".md", ".markdown")):
            continue
        if new in files and new not in moves:
            continue
        if not note and set("#[]\"'") & set(new):
            continue  # no wikilink can hold it, and only notes have ids
        moves[path] = new
    folders = sorted({path.rpartition("/")[0] for path in files} - {""})
    if not moves and folders:
        new = draw(st.sampled_from(["n", "a/n", "N/o p"]))
        moves[draw(st.sampled_from(folders))] = new
    return files, moves


@given(moved())
@settings(max_examples=200, deadline=None)
def test_meanings_are_kept(case: tuple[Files, dict[str, str]]) -> None:
    files, moves = case
    change = move(index_of(files), moves)
    check_kept(files, after(files, change, moves), moves)
