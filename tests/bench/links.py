"""How a link is written in a generated note: each form of link and relation."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.bench import words
from tests.bench.graph import UNRESOLVED
from tests.bench.names import BLOCK_ID, NoteName
from tests.bench.prose import Writer

ALIAS_SHARE, HEADING_SHARE = 0.41, 0.21  # frontmatter links carry neither
TYPED_SHARE = 0.12
MARKDOWN_SHARE, EMBED_SHARE = 0.06, 0.03
TYPED_FORMS = ["rel", "rel-list", "field", "field-paren", "field-bracket", "callout", "frontmatter"]


@dataclass
class WrittenLinks:
    """The links of one note: inside sentences, as blocks of their own, in the frontmatter."""

    inline: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    frontmatter: dict[str, list[str]] = field(default_factory=dict)
    """Quoted links by relation kind: YAML has each key once."""


class LinkWriter:
    """Writes the planned targets of a note, each in one of the forms."""

    def __init__(self, names: list[NoteName], rng: random.Random) -> None:
        self.names, self.rng = names, rng
        self.writer = Writer(rng)
        with_headings = sum(1 for name in names if name.headings)
        self.heading_chance = HEADING_SHARE * len(names) / max(1, with_headings)

    def write(self, source: int, targets: list[int]) -> WrittenLinks:
        written = WrittenLinks()
        waiting = list(targets)
        while waiting:
            if self.rng.random() < TYPED_SHARE * 0.6:  # some forms take several targets
                self._typed(source, waiting, written)
            else:
                link = self._plain(source, waiting.pop())
                (written.blocks if link.startswith("!") else written.inline).append(link)
        return written

    def _plain(self, source: int, target: int) -> str:
        chance = self.rng.random()
        if target != UNRESOLVED:
            if chance < MARKDOWN_SHARE:
                return self._markdown_link(source, target)
            if chance < MARKDOWN_SHARE + EMBED_SHARE:
                return "!" + self._wikilink(target)
        return self._wikilink(target)

    def _typed(self, source: int, waiting: list[int], written: WrittenLinks) -> None:
        form = self.writer.pick(TYPED_FORMS)
        kind = self.writer.pick(words.KINDS)
        several = [waiting.pop() for _ in range(min(len(waiting), 1 + int(self.rng.random() * 3)))]
        first, others = several[0], several[1:]
        if form in ("rel-list", "field", "callout", "frontmatter"):
            others = []
        waiting += others  # forms for one target give the others back
        if form == "rel":
            written.inline.append(f"[[rel:{kind} {self._wikilink(first)[2:]}")
        elif form == "rel-list":
            written.blocks.append(f"rel: {kind} " + ", ".join(map(self._wikilink, several)))
        elif form == "field":
            written.blocks.append(f"{kind}:: " + ", ".join(map(self._wikilink, several)))
        elif form == "field-paren":
            written.inline.append(f"({kind}:: {self._wikilink(first)})")
        elif form == "field-bracket":
            written.inline.append(f"[{kind}:: {self._wikilink(first)}]")
        elif form == "callout":
            lines = [
                f"> {self.writer.pick(words.KINDS)}: {self._wikilink(target)}"
                for target in several[1:]
            ]
            head = f"> [!edge] {kind}: {self._wikilink(first)}"
            written.blocks.append("\n".join([head, *lines]))
        else:
            values = written.frontmatter.setdefault(kind, [])
            values += [f'"[[{self._target(target)}]]"' for target in several]

    def _target(self, target: int) -> str:
        """Text for the target: mostly the file name, sometimes the alias or the path."""
        if target == UNRESOLVED:
            number = int(self.rng.random() * 100_000)
            return f"{self.writer.title(self.names[0].language)} {number}"
        name = self.names[target]
        chance = self.rng.random()
        if name.alias and chance < 0.2:
            return name.alias
        return name.path[: -len(".md")] if chance > 0.96 else name.title

    def _wikilink(self, target: int) -> str:
        rand = self.rng.random
        text = self._target(target)
        name = None if target == UNRESOLVED else self.names[target]
        if name and name.headings and rand() < self.heading_chance:
            text += "#" + self.writer.pick(name.headings)
        elif name and name.has_block and rand() < 0.1:
            text += f"#^{BLOCK_ID}"
        if rand() < ALIAS_SHARE:
            text += "|" + self.writer.pick((name or self.names[0]).language.mentions)
        return f"[[{text}]]"

    def _markdown_link(self, source: int, target: int) -> str:
        """A Markdown link: by the note's own folder where both share it, else from the root."""
        name = self.names[target]
        same = name.folder == self.names[source].folder
        path = f"{name.title}.md" if same else name.path
        return f"[{name.title}]({quote(path)})"
