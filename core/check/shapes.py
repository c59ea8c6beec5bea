"""What a check is asked and what it tells; also the lines of `POST /check`."""

from __future__ import annotations

from typing import Literal, get_args

from core.api import Shape

CheckName = Literal["edges", "chunks", "windows", "schema", "hashes"]
NAMES: tuple[CheckName, ...] = get_args(CheckName)


class CheckRequest(Shape):
    """`POST /check`: which checks; none named is all of them."""

    what: tuple[CheckName, ...] = ()


class Finding(Shape):
    """Something wrong. `code` is a stable key of what; `message` never holds text of a note."""

    kind: Literal["finding"] = "finding"
    check: CheckName
    code: str
    note_id: str = ""
    path: str = ""
    message: str


class Fact(Shape):
    """A figure that is worth telling and nothing wrong."""

    kind: Literal["fact"] = "fact"
    check: CheckName
    name: str
    value: float
    message: str


class CheckResult(Shape):
    """The last line: how much was looked at."""

    kind: Literal["result"] = "result"
    checks: list[CheckName]
    notes: int
    chunks: int
    edges: int
    findings: int
    took_ms: float
