"""`mindnet lint`: the editor's diagnostics on the command line, for CI."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from core.cli.common import (
    FINDINGS,
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    fail,
    find_vault,
    print_json,
    settings_of,
    settings_tree,
    user_locale,
)
from core.cli.notes import read_vault
from core.cli.sarif import as_sarif
from core.config.load import load_config
from core.features.diagnostics import diagnose
from core.features.results import Diagnostic
from core.settings import Severity
from core.text import LineIndex
from core.vault.index import VaultIndex

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint")


class Finding(NamedTuple):
    """A diagnostic of the note at `path`. Lines and columns count from 1, columns code points;
    the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    found: Diagnostic


@expected_failures
def lint(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Notes or folders; without any, the whole vault.")
    ] = None,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    form: Annotated[
        Literal["text", "json", "sarif"], typer.Option("--format", help="What to print.")
    ] = "text",
    fail_on: Annotated[
        Literal["error", "warning", "information", "hint"],
        typer.Option(help="The mildest severity that makes the exit code 1."),
    ] = "warning",
) -> None:
    """Check links, anchors, frontmatter, types and relations of notes, as the editor does."""
    root = find_vault(vault)
    settings = settings_of(settings_tree(prefix))
    loaded = read_vault(root, settings)
    config = load_config(root, os.environ)
    for problem in config.problems:
        typer.echo(f"mindnet: {problem}", err=True)
    chosen = _chosen(root, loaded.index, paths)
    findings = [
        _finding(path, found)
        for path in chosen
        for found in diagnose(
            loaded.index,
            loaded.index.notes[path],
            settings.diagnostics,
            user_locale(settings),
            config.relations,
            config.types.names(),
        )
    ]
    if form == "sarif":
        sys.stdout.write(json.dumps(as_sarif(findings), ensure_ascii=False, indent=2) + "\n")
    elif as_json or form == "json":
        print_json({"notes": len(chosen), "findings": [_json(one) for one in findings]})
    else:
        _show(findings, len(chosen))
    for unread in loaded.problems:
        typer.echo(f"mindnet: {unread.path or root}: {unread.reason} {unread.detail}", err=True)
    grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    if any(one.found.severity in grave for one in findings):
        raise typer.Exit(FINDINGS)


def _chosen(root: Path, index: VaultIndex, paths: list[Path] | None) -> list[str]:
    """The notes that the arguments mean, sorted. Ends the command for one that is none."""
    if not paths:
        return list(index.paths)
    chosen: set[str] = set()
    for given in paths:
        resolved = (given if given.exists() else root / given).resolve()
        if not resolved.is_relative_to(root):
            fail(f"{given} is not in the vault {root}")
        below = resolved.relative_to(root).as_posix()
        own = {p for p in index.paths if below == "." or p == below or p.startswith(f"{below}/")}
        if not own:
            fail(f"{given} is no note and holds none")
        chosen |= own
    return sorted(chosen)


def _finding(path: str, found: Diagnostic) -> Finding:
    start, end = (_position(found, at) for at in (found.start, found.end))
    return Finding(path, *start, *end, found)


def _position(found: Diagnostic, at: int) -> tuple[int, int]:
    place = found.place
    lines = LineIndex(place.raw[:at])
    last = len(lines) - 1
    column = len(lines.line(last)) + (0 if last else place.col)
    return place.line + last + 1, column + 1


def _json(one: Finding) -> dict[str, object]:
    return {
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "end_line": one.end_line,
        "end_column": one.end_column,
        "severity": one.found.severity,
        "code": one.found.code,
        "message": one.found.message,
    }


def _show(findings: list[Finding], notes: int) -> None:
    for one in findings:
        found = one.found
        typer.echo(
            f"{one.path}:{one.line}:{one.column}: {found.severity}: {found.message} [{found.code}]"
        )
    summary = ", ".join(_counted(findings)) or "no findings"
    typer.echo(f"{notes} notes, {summary}", err=True)


def _counted(findings: list[Finding]) -> Iterator[str]:
    counts = Counter(one.found.severity for one in findings)
    for severity in SEVERITIES:
        if count := counts[severity]:
            plural = "" if severity == "information" or count == 1 else "s"
            yield f"{count} {severity}{plural}"
