"""What a SARIF file may hold: the part of the standard's schema that a linter needs.

Written from the OASIS standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0";
the numbers are its sections. Objects are closed, as they are in the standard's own schema.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=1)]
Index = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(min_length=1)]
URI = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})+")


class _Closed(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    pass


class Message(_Closed):  # 3.11
    text: Text


class ArtifactLocation(_Closed):  # 3.4
    uri: Text
    uri_base_id: Text


class Region(_Closed):  # 3.30
    start_line: Count
    start_column: Count
    end_line: Count
    end_column: Count


class PhysicalLocation(_Closed):  # 3.29
    artifact_location: ArtifactLocation
    region: Region | None = None


class Location(_Closed):  # 3.28
    physical_location: PhysicalLocation
    message: Message | None = None


class Result(_Closed):  # 3.27
    message: Message
    rule_id: Text
    rule_index: Index
    level: Literal["none", "note", "warning", "error"]
    locations: Annotated[list[Location], Meta(min_length=1)]
    related_locations: list[Location] = []


class ReportingDescriptor(_Closed):  # 3.49
    id: Text
    name: Text


class ToolComponent(_Closed):  # 3.19
    name: Text
    version: Text
    rules: list[ReportingDescriptor]


class Tool(_Closed):  # 3.18
    driver: ToolComponent


class Run(_Closed):  # 3.14
    tool: Tool
    results: list[Result]
    column_kind: Literal["utf16CodeUnits", "unicodeCodePoints"]


class Log(_Closed):  # 3.13
    version: Literal["2.1.0"]
    runs: list[Run]
    schema: Annotated[str, Meta(pattern=r"^https://.*sarif-schema-2\.1\.0\.json$")] = msgspec.field(
        name="$schema"
    )


def check_sarif(text: str) -> dict[str, Any]:
    """The file, of which each run keeps to the standard. Raises `msgspec.ValidationError` with the
    place that has another form, `AssertionError` for what a schema cannot say."""
    log = msgspec.json.decode(text, type=Log)
    for run in log.runs:
        rules = [rule.id for rule in run.tool.driver.rules]
        assert len(set(rules)) == len(rules)  # 3.19.23: no rule twice
        for result in run.results:
            assert rules[result.rule_index] == result.rule_id  # 3.27.6
            for place in (*result.locations, *result.related_locations):
                _check_place(place.physical_location)
            # 3.27.22: a related place says what it is for
            assert all(place.message for place in result.related_locations)
    found: dict[str, Any] = msgspec.json.decode(text)
    return found


def _check_place(place: PhysicalLocation) -> None:
    uri = place.artifact_location.uri
    assert URI.fullmatch(uri), uri
    # 3.4.4: relative to its base, so neither absolute nor out of it
    assert not uri.startswith("/")
    assert ":" not in uri.partition("/")[0]
    assert ".." not in uri.split("/")
    if (region := place.region) is not None:  # 3.30.2: it ends where it begins or behind that
        start, end = (
            (region.start_line, region.start_column),
            (region.end_line, region.end_column),
        )
        assert start <= end
