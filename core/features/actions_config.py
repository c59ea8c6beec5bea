"""Fixes that describe a relation kind or note type of the vault's own in its `.mindnet` folder.

The file is only added to: every byte that is there stays. Where it is no YAML, or written in a
way that cannot be added to, nothing is done, and the action says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import yaml

from core.config.files import VAULT_FOLDER
from core.features.action_context import ActionContext
from core.features.linktext import yaml_value
from core.features.results import CodeAction, CreateFile, Diagnostic, PlaceEdit
from core.locale import Locale
from core.model import Place
from core.parse.kinds import normal_kind
from core.parse.places import Places, flatten
from core.text import LineIndex, fold

Section = Literal["relations", "types"]


def describe_kind(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """An entry in `.mindnet/relations.yaml` for a kind that nobody describes."""
    kind = normal_kind(diagnostic.data["kind"])
    label = kind.replace("_", " ")
    yield from _add(context, diagnostic, "relations", kind, f"label: {yaml_value(label)}")


def describe_type(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """An entry in `.mindnet/types.yaml` for a type that nobody describes."""
    yield from _add(context, diagnostic, "types", fold(diagnostic.data["type"]), "")


def _add(
    context: ActionContext, diagnostic: Diagnostic, section: Section, name: str, value: str
) -> Iterator[CodeAction]:
    path = f"{VAULT_FOLDER}/{section}.yaml"
    title = context.say(f"Add “{name}” to {path}", f"„{name}“ in {path} aufnehmen")
    text = context.text(path)
    if text is None:
        if context.exists(path):
            return  # there, but not readable
        entry = _entry(name, value, "  ", "\n")
        new = CreateFile(path, f"{section}:\n{entry}")
        yield CodeAction(title, "quickfix", (), (new,), diagnostic)
        return
    added = addition(text, section, name, value)
    if isinstance(added, str):
        why = _reason(added, path, context.locale)
        yield CodeAction(title, "quickfix", (), (), diagnostic, disabled=why)
        return
    offset, new_text = added
    line, col, wide8, wide16 = Places(flatten(text), ascii_only=text.isascii()).at(offset)
    place = Place(offset, line, col, "", wide8, wide16)
    yield CodeAction(title, "quickfix", (PlaceEdit(path, place, 0, 0, new_text),), (), diagnostic)


def addition(text: str, section: str, name: str, value: str) -> tuple[int, str] | str:
    """Where in a YAML text, and what, is to be inserted so that the mapping `section` gets the
    entry `name: {value}`; else why not: "invalid" or "form"."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return "invalid"
    if root is not None and not isinstance(root, yaml.MappingNode):
        return "invalid"
    lines = LineIndex(text)
    eol = lines.eol
    found = next((pair for pair in root.value if pair[0].value == section), None) if root else None
    if found is None:
        body = text.rstrip()
        start = len(text) if text.endswith(("\n", "\r")) or not body else len(body)
        gap = eol if start == len(body) and body else ""
        new = f"{gap}{section}:{eol}{_entry(name, value, '  ', eol)}"
    else:
        key, node = found
        inside = node.value if isinstance(node, yaml.MappingNode) else []
        if isinstance(node, yaml.MappingNode) and not node.flow_style and inside:
            indent = " " * inside[0][0].start_mark.column
            last = max(_leaf_end(child) for pair in inside for child in pair)
        elif isinstance(node, yaml.ScalarNode) and not node.value.strip():
            indent, last = " " * (key.start_mark.column + 2), key.end_mark.index
        else:
            return "form"
        start = lines.end(lines.line_at(last))
        new = eol + _entry(name, value, indent, eol).removesuffix(eol)
    after = text[:start] + new + text[start:]
    return (start, new) if _has_only_grown(text, after, section, name) else "form"


def _entry(name: str, value: str, indent: str, eol: str) -> str:
    key = f"{indent}{yaml_value(name)}:"
    return f"{key}{eol}{indent}  {value}{eol}" if value else f"{key} {{}}{eol}"


def _leaf_end(node: Any) -> int:
    """Where the text of a node ends; block collections end only where the next thing begins."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return max(_leaf_end(child) for pair in node.value for child in pair)
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return max(_leaf_end(child) for child in node.value)
    end: int = node.end_mark.index
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        end = max(node.start_mark.index, end - 1)
    return end


def _has_only_grown(before: str, after: str, section: str, name: str) -> bool:
    """Whether the new text holds what the old one did and the new entry, nothing else."""
    try:
        old, new = yaml.safe_load(before) or {}, yaml.safe_load(after)
        entries = new[section]
        if not isinstance(entries, dict) or entries.pop(name, None) is None:
            return False
    except (yaml.YAMLError, ValueError, TypeError, KeyError):
        return False
    return bool({**old, section: old.get(section) or {}} == {**new, section: entries})


def _reason(why: str, path: str, locale: Locale) -> str:
    en = {
        "invalid": f"{path} is not valid YAML; mend it first",
        "form": f"{path} is written in a way that cannot be added to; add it by hand",
    }
    de = {
        "invalid": f"{path} ist kein gültiges YAML; bringe es zuerst in Ordnung",
        "form": f"{path} lässt sich so nicht ergänzen; trage es von Hand ein",
    }
    return (de if locale == "de" else en)[why]
