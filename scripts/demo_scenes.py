"""What the demo shows: each scene asks the server one thing and prints the answer."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Iterable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import yaml
from demo_client import DemoClient
from lsprotocol import types
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from core.model import Link
from core.text import LineIndex
from core.vault.index import VaultIndex
from core.vault.load import load_vault
from core.vault.read import read_note

T = TypeVar("T")
QUESTIONS = Path(__file__).resolve().parents[1] / "examples" / "questions.yaml"
HOVER_LINES = 18
SCRATCH = "mindnet-demo-unsaved.md"
"""A buffer that exists in the demo's editor only."""
LANGUAGES = {"de": "German", "en": "English"}


def files_of(vault: Path) -> dict[str, tuple[int, int]]:
    """Size and mtime of every file below `vault`: to prove that nothing was written."""
    found = {}
    for folder, _, names in os.walk(vault):
        for name in names:
            path = os.path.join(folder, name)
            stat = os.lstat(path)
            found[path] = (stat.st_size, stat.st_mtime_ns)
    return found


class Scenes:
    """The scenes in order. `failures` counts those that the server could not answer."""

    def __init__(
        self, client: DemoClient, console: Console, vault: Path, questions: list[str]
    ) -> None:
        self.failures = 0
        self._client, self._console, self._vault = client, console, vault
        self._questions = questions
        self._index: VaultIndex = load_vault(vault).index

    async def links(self) -> None:
        """Everything that needs no search index."""
        counts = self._index.counts
        self._console.print(
            f"[green]ready[/green]: {counts.notes} notes, {counts.links} links,"
            f" {counts.unresolved} of them to notes that do not exist\n"
        )
        popular = sorted(self._index.paths, key=lambda p: (-self._index.backlink_count(p), p))
        if not popular:
            self._console.print("There is no note in this folder.")
            return
        await self._completion(self._index.notes[popular[0]].title)
        await self._link_to(popular[0])
        await self._broken_link()

    async def search(self) -> None:
        """Everything that needs the core: queries, suggestions, status."""
        if self._index.paths:
            for question, language in self._asked():
                await self._query(question, language)
            await self._suggestion()
        self._title("mindnet.status")
        status = await self._timed(self._client.command("mindnet.status"))
        table = Table.grid(padding=(0, 2))
        for key, value in status.items():
            shown = value if not isinstance(value, dict) else _line(value)
            table.add_row(Text(key, style="dim"), Text(str(shown)))
        self._console.print(Padding(table, (0, 2)))
        self._console.print()

    async def _completion(self, title: str) -> None:
        typed = title[: max(2, min(3, len(title)))]
        self._title(f"completion after [[{typed}")
        text = f"[[{typed}"
        uri = self._client.open(SCRATCH, text)
        items = await self._timed(
            self._client.complete(uri, types.Position(0, len(text.encode("utf-16-le")) // 2))
        )
        table = Table.grid(padding=(0, 2))
        for item in sorted(items, key=lambda one: one.sort_text or one.label)[:6]:
            details = item.label_details
            about = details.description if details else item.detail
            table.add_row(Text(item.label, style="cyan"), Text(about or "", style="dim"))
        self._console.print(Padding(table, (0, 2)))
        self._client.close(uri)
        self._expect(bool(items))

    async def _link_to(self, path: str) -> None:
        """Hover and definition on a real link to this note."""
        back = next(iter(self._index.backlinks(path)), None)
        if back is None:
            self._console.print("[dim]No note links to another one here.[/dim]\n")
            return
        uri, at = self._open_at(back.source, back.link)
        self._title(f"hover on {back.link.raw} in {back.source}")
        shown = await self._timed(self._client.hover(uri, at))
        with self._console.capture() as captured:
            self._console.print(Padding(Markdown(shown), (0, 2)))
        lines = [line for line in captured.get().splitlines() if line.strip()]
        self._console.print(Text.from_ansi("\n".join(lines[:HOVER_LINES])))
        if len(lines) > HOVER_LINES:
            self._console.print(f"  [dim]… {len(lines) - HOVER_LINES} lines more[/dim]")
        self._console.print()
        self._title(f"definition of {back.link.raw}")
        found = await self._timed(self._client.definition(uri, at))
        for one in found:
            self._console.print(f"  [cyan]{self._name(one.uri)}[/cyan]:{one.range.start.line + 1}")
        self._client.close(uri)
        self._expect(bool(shown and found))

    async def _broken_link(self) -> None:
        for path in self._index.paths:
            missing = self._index.unresolved_in(path)
            if missing:
                break
        else:
            self._console.print("[green]No link of this vault is broken.[/green]\n")
            return
        uri, _ = self._open_at(path, missing[0])
        self._title(f"diagnostics of {path}")
        for one in await self._timed(self._client.findings(uri)):
            place = f"{one.range.start.line + 1}:{one.range.start.character + 1}"
            self._console.print(f"  [yellow]{place}[/yellow] {one.message} [dim]({one.code})[/dim]")
            for title in await self._client.actions(uri, one):
                self._console.print(f"      [green]fix[/green] {title}")
        self._client.close(uri)
        self._console.print()

    def _asked(self) -> list[tuple[str, str]]:
        if self._questions:
            return [(question, "yours") for question in self._questions]
        if self._vault == QUESTIONS.parent / "vault":
            asked = yaml.safe_load(QUESTIONS.read_text("utf-8"))["questions"]
            picked = {(one["lang"], one["answer_lang"]): one["question"] for one in reversed(asked)}
            return [
                (question, f"{LANGUAGES[lang]}, answered by a note in {LANGUAGES[answer]}")
                for (lang, answer), question in sorted(picked.items())
            ][:3]
        popular = sorted(self._index.paths, key=lambda p: (-self._index.backlink_count(p), p))
        return [(self._index.notes[path].title, "a title of this vault") for path in popular[:2]]

    async def _query(self, question: str, about: str) -> None:
        self._title(f"mindnet.query “{question}” ({about})")
        answer = await self._timed(self._client.command("mindnet.query", query=question, top_k=3))
        if self._failed(answer):
            return
        for number, hit in enumerate(answer["hits"], 1):
            parts = hit["score_breakdown"]
            terms = " + ".join(
                f"{name.replace('_', ' ')} {parts[name]:.2f}"
                for name in ("semantic", "lexical", "edge_bonus", "centrality")
                if parts[name]
            )
            place = f"{hit['type']} · {hit['section']} · line {hit['range']['start']['line'] + 1}"
            self._console.print(f"  [bold]{number}. {hit['title']}[/bold] [dim]{place}[/dim]")
            self._console.print(f"     [green]{hit['score']:.2f}[/green] [dim]= {terms}[/dim]")
            for reason in hit["reasons"]:
                self._console.print(f"     · {reason}")
        self._expect(bool(answer["hits"]))

    async def _suggestion(self) -> None:
        """Suggested edges of the first note that has a good one, named in its text if possible."""
        best: tuple[float, str, list[Any]] | None = None
        for path in self._index.paths[:40]:
            text = read_note(self._vault, path).text
            uri = self._client.open(path, text)
            answer = await self._client.command("mindnet.suggestEdges", uri=uri, top_k=3)
            self._client.close(uri)
            found = answer.get("suggestions", [])
            if found and (best is None or found[0]["score"] > best[0]):
                best = found[0]["score"], path, found
        if best is None:
            self._console.print("[dim]No edge is suggested in the first notes.[/dim]\n")
            return
        self._title(f"mindnet.suggestEdges of {best[1]}")
        for one in best[2]:
            line = one["range"]["start"]["line"] + 1
            edit = Text(" ".join(one["new_text"].split()), style="cyan")
            self._console.print(Text(f"  {one['score']:.2f}  line {line}: "), edit, sep="")
            for reason in one["reasons"]:
                self._console.print(f"        · {reason}")
        self._console.print()

    def _open_at(self, path: str, link: Link) -> tuple[str, types.Position]:
        """Open a note and give the position inside one of its links."""
        text = read_note(self._vault, path).text
        lines = LineIndex(text)
        offset = link.start + max(link.target_at, 2)
        line = lines.line_at(offset)
        before = text[lines.start(line) : offset]
        column = len(before.encode("utf-16-le")) // 2
        return self._client.open(path, text), types.Position(line, column)

    def _name(self, uri: str) -> str:
        return os.path.relpath(unquote(uri.removeprefix("file://")), self._vault)

    def _title(self, text: str) -> None:
        self._console.print(Text.assemble(("▌ ", "magenta"), (text, "bold")))

    async def _timed(self, asked: Awaitable[T]) -> T:
        began = time.perf_counter()
        answer = await asked
        self._console.print(f"  [dim]{(time.perf_counter() - began) * 1000:.0f} ms[/dim]")
        return answer

    def _failed(self, answer: dict[str, Any]) -> bool:
        error = answer.get("error")
        if error:
            self.failures += 1
            self._console.print(f"  [red]{error['message']}[/red] {error['hint']}\n")
        return bool(error)

    def _expect(self, answered: bool) -> None:
        if not answered:
            self.failures += 1
            self._console.print("  [red]no answer[/red]")
        self._console.print()


def _line(parts: dict[str, Any]) -> str:
    shown: Iterable[Any] = (value for value in parts.values() if value not in (None, "", 0))
    return ", ".join(str(value) for value in shown)
