"""What is wrong with a key of a YAML file, in words that say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel

_PLAIN = {
    "string_type": "must be a text",
    "tuple_type": "must be a list, as in [a, b]",
    "dict_type": "must be a mapping of names to values",
    "model_type": "must be a mapping of keys to values",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a number",
}


def describe(model: type[BaseModel], tree: Mapping[str, Any], item: Mapping[str, Any]) -> str:
    """The message for one error of pydantic. `tree` is the user's own tree."""
    path = tuple(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return _unknown(model, tree, path)
    if item["type"] == "greater_than_equal":
        return f"must be at least {item['ctx']['ge']:g}"
    if item["type"] == "less_than_equal":
        return f"must be at most {item['ctx']['le']:g}"
    message = _PLAIN.get(item["type"], str(item["msg"]).removeprefix("Value error, "))
    if item["type"] == "model_type" and len(path) == 2:
        entry = _model_at(model, path)
        if entry is not None and path[1] in entry.model_fields:
            return f"is a key of an entry: it belongs below one of the names in `{path[0]}:`"
    return message


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean “x”?)` where a known name is near, else ""."""
    found = get_close_matches(name, sorted(known), 1, 0.7)
    return f" (did you mean “{found[0]}”?)" if found else ""


def _unknown(model: type[BaseModel], tree: Mapping[str, Any], path: tuple[str, ...]) -> str:
    *above, name = path
    holder = _model_at(model, tuple(above))
    known = holder.model_fields if holder is not None else {}
    if guess := nearest(name, known):
        return f"unknown key{guess}"
    if above and name in model.model_fields:
        return "belongs at the beginning of a line, not below another key"
    section = next(iter(model.model_fields)) if len(model.model_fields) == 1 else _section(model)
    if not above and section and isinstance(tree.get(name), dict | None):
        return f"unknown key: names of your own belong below `{section}:`"
    return f"unknown key; there are {', '.join(known)}"


def _section(model: type[BaseModel]) -> str:
    """The field that holds entries with names of the user's own, "" where there is none."""
    for name in model.model_fields:
        if _model_at(model, (name, "*")) is not None and _model_at(model, (name,)) is None:
            return name
    return ""


def _model_at(model: type[BaseModel], path: tuple[str, ...]) -> type[BaseModel] | None:
    """The model that describes the mapping at `path`; None where it is none."""
    annotation: Any = model
    for part in path:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields.get(part)
            annotation = field.annotation if field is not None else None
        elif getattr(annotation, "__origin__", None) is dict:
            annotation = get_args(annotation)[1]
        else:
            return None
        inner = [part for part in get_args(annotation) if isinstance(part, type)]
        if getattr(annotation, "__origin__", None) is not dict:
            annotation = next((i for i in inner if issubclass(i, BaseModel)), annotation)
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return annotation if is_model else None
