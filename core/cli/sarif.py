"""Findings as SARIF 2.1.0, the format in which code hosts take them (OASIS standard)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from core.version import __version__

if TYPE_CHECKING:
    from core.cli.lint import Finding

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
"""Named in every file, as some code hosts want it; nothing is fetched from there."""
ROOT = "VAULT"
"""The base that paths are relative to."""

_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


def as_sarif(findings: list[Finding]) -> dict[str, Any]:
    """One run with all findings. Columns count code points; paths are percent-encoded and
    relative to the vault."""
    codes = sorted({one.found.code for one in findings})
    rules = [{"id": code, "name": _pascal(code)} for code in codes]
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": {"name": "mindnet", "version": __version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, codes.index(one.found.code)) for one in findings],
            }
        ],
    }


def _result(one: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.found.code,
        "ruleIndex": rule,
        "level": _LEVELS[one.found.severity],
        "message": {"text": one.found.message},
        "locations": [{"physicalLocation": _location(one)}],
    }
    related = [
        {
            "message": {"text": item.message},
            "physicalLocation": {"artifactLocation": _file(item.path)},
        }
        for item in one.found.related
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _location(one: Finding) -> dict[str, Any]:
    region = {
        "startLine": one.line,
        "startColumn": one.column,
        "endLine": one.end_line,
        "endColumn": one.end_column,
    }
    return {"artifactLocation": _file(one.path), "region": region}


def _file(path: str) -> dict[str, str]:
    return {"uri": quote(path, safe="/"), "uriBaseId": ROOT}


def _pascal(code: str) -> str:
    return "".join(part.capitalize() for part in code.split("-"))
