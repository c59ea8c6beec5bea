"""What the help and `docs/cli.md` say of each command besides its options."""

from __future__ import annotations

from typing import NamedTuple

INDEX, ASK, CHECK, LOOK = "Index", "Ask", "Check and keep", "See what is there"


class Page(NamedTuple):
    """`findings` says when the exit code is 1, "" for never; `examples` are command lines,
    each with what it does."""

    panel: str
    findings: str
    examples: tuple[tuple[str, str], ...]

    @property
    def epilog(self) -> str:
        """The end of the command's help; paragraphs, since single line ends are joined."""
        codes = "Exit codes: 0 fine, " + (f"1 {self.findings}, " if self.findings else "")
        lines = [codes + "2 wrong usage or failure, 130 interrupted."]
        lines += ["Examples:", *(f"  {line}  # {does}" for line, does in self.examples)]
        return "\n\n".join(lines)


PAGES: dict[str, Page] = {
    "import": Page(
        INDEX,
        "if a note could not be imported",
        (
            ("mindnet import", "what would change"),
            ("mindnet import --apply", "do it"),
            ("mindnet import --apply --full", "write every note anew"),
        ),
    ),
    "dryrun": Page(
        INDEX,
        "if a note could not be imported",
        (
            ("mindnet dryrun", "all payloads of the vault"),
            ("mindnet dryrun --explain 'Slow Machines' | head -1", "why a note has its type"),
            ("mindnet dryrun | jq -r 'select(.kind == \"edge\").payload.kind'", "all kinds"),
        ),
    ),
    "reset": Page(
        INDEX,
        "",
        (
            ("mindnet reset --mode ensure", "create what is missing"),
            ("mindnet reset --mode wipe --yes", "start from nothing, without a question"),
        ),
    ),
    "query": Page(
        ASK,
        "if nothing is found",
        (
            ("mindnet query 'Wie altert Kalkmörtel?'", "by words, meaning and links"),
            ("mindnet query lime --type concept --top 3", "three concepts"),
            ("mindnet query lime --why 'Slow Machines'", "why that note is not among them"),
            ("mindnet query lime --json | jq -r '.hits[].path'", "the files alone"),
        ),
    ),
    "suggest": Page(
        ASK,
        "if there is nothing to suggest",
        (
            ("mindnet suggest 'Slow Machines'", "notes that it should link to, and why"),
            ("mindnet suggest 'Slow Machines' --form callout", "the edits for an edge callout"),
            ("mindnet suggest 'Slow Machines' --dismiss 'Flood Wave'", "never suggest it again"),
            ("mindnet suggest --dismissed", "what was dismissed in the whole vault"),
        ),
    ),
    "related": Page(
        ASK,
        "if nothing is related",
        (("mindnet related 'Slow Machines' --top 5", "the nearest five, linked or not"),),
    ),
    "graph": Page(
        ASK,
        "if the note has no links",
        (
            ("mindnet graph 'Slow Machines' --hops 2", "two links far"),
            ("mindnet graph --format dot | dot -Tsvg > graph.svg", "the most linked as a picture"),
        ),
    ),
    "chat": Page(
        ASK,
        "if no note says anything about it",
        (
            ("mindnet chat 'Wie altert Kalkmörtel?'", "an answer that cites the notes"),
            ("mindnet chat 'And in winter?' --session wall", "go on with a conversation"),
            ("mindnet chat 'Should I use lime?' --json | jq -r .answer", "for a program"),
        ),
    ),
    "draft": Page(
        ASK,
        "if something is missing that such a note needs",
        (
            ("mindnet draft 'Neue Aufgabe: Dachrinne leeren'", "what the note would be"),
            ("mindnet draft 'Gutter' --type task --answer due=2031-11-01 --save", "write it"),
        ),
    ),
    "history": Page(
        ASK,
        "if there is nothing",
        (
            ("mindnet history", "the last queries with their hits and ratings"),
            ("mindnet history --export-pairs pairs.jsonl", "what a model can be trained with"),
            ("mindnet history --json | jq -r '.entries[].query'", "the queries alone"),
        ),
    ),
    "feedback": Page(
        ASK,
        "",
        (
            ("mindnet feedback last 'Slow Machines' 5", "the last query found what was meant"),
            ("mindnet feedback last sleep-debt-1a2b3c 1 --comment 'off topic'", "and this one no"),
        ),
    ),
    "tune": Page(
        ASK,
        "if nothing is proposed",
        (
            ("mindnet tune", "what your ratings speak for"),
            ("mindnet tune --out proposal.yaml", "as a file, for .mindnet/retriever.yaml"),
        ),
    ),
    "lint": Page(
        CHECK,
        "if there are findings as grave as --fail-on",
        (
            ("mindnet lint", "the whole vault"),
            ("mindnet lint notes/ --fail-on hint", "one folder, strictly"),
            ("mindnet lint --format sarif > mindnet.sarif", "for code scanning"),
        ),
    ),
    "resolve": Page(
        CHECK,
        "if a link leads nowhere",
        (
            ("mindnet resolve", "links without a note, the most used first"),
            ("mindnet resolve --apply", "and bring the index in step before"),
        ),
    ),
    "check": Page(
        CHECK,
        "if something is wrong",
        (
            ("mindnet check", "everything"),
            ("mindnet check hashes", "is the index in step with the files"),
            ("mindnet check edges chunks --json", "two checks, for a program"),
        ),
    ),
    "export": Page(
        CHECK,
        "",
        (
            ("mindnet export --out ~/copy", "all notes, byte for byte"),
            ("mindnet export --out ~/copy && mindnet compare ~/copy", "and the proof"),
        ),
    ),
    "compare": Page(
        CHECK,
        "if they differ",
        (
            ("mindnet compare ~/notes ~/copy", "a vault and an export"),
            ("mindnet compare ~/copy", "the vault of this folder and an export"),
        ),
    ),
    "status": Page(
        LOOK,
        "if the last import failed",
        (("mindnet status", "what is indexed"), ("mindnet status --json", "for a program")),
    ),
    "doctor": Page(
        LOOK,
        "if something is wrong",
        (("mindnet doctor", "every part, and what to do"),),
    ),
    "serve": Page(
        LOOK,
        "",
        (
            ("mindnet serve", "until Ctrl-C; editors use it as well"),
            ("mindnet serve --port 8765", "on a port of your choice"),
        ),
    ),
}
