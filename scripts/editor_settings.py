"""Write the settings of `core.settings` into the VS Code extension's manifest.

usage: python scripts/editor_settings.py [--check]

`package.json` gets one property per setting, with a key for its words; `package.nls.json` gets
the words in English. The German ones in `package.nls.de.json` are written by hand, for the same
keys. With `--check` nothing is written, and the exit code is 1 where something would be.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.settings import Settings  # noqa: E402

EXTENSION = ROOT / "editors" / "vscode"
MANIFEST = EXTENSION / "package.json"
WORDS = EXTENSION / "package.nls.json"

MACHINE = ("store.url", "store.api_key", "store.path", "llm.url", "llm.allow_remote")
"""Where notes go: only the user's own settings count, never those of a folder."""
RESTRICTED = (*MACHINE, "vault.root", "store.mode", "embedding.provider", "embedding.model",
              "llm.enabled", "llm.model", "templates.folder", "drafts.folder")  # fmt: skip
"""What a folder may say only when it is trusted: addresses, paths, models."""
KEPT = ("enum", "minimum", "maximum", "exclusiveMinimum", "pattern")


def leaves(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each setting with its JSON schema, as `hover.max_backlinks`, in the order of the tree."""
    yield from _leaves(schema, schema["$defs"], Settings().model_dump(), "", "")


def _leaves(
    node: dict[str, Any], defs: dict[str, Any], values: dict[str, Any], path: str, words: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, found in node["properties"].items():
        key = f"{path}{name.replace('_', '-') if path == 'diagnostics.' else name}"
        said = found.get("description", words)
        if "$ref" in found:
            inner = defs[found["$ref"].rsplit("/", 1)[1]]
            yield from _leaves(inner, defs, values[name], f"{key}.", said)
        else:
            yield key, {**found, "description": said, "default": values[name]}


def property_of(key: str, found: dict[str, Any]) -> dict[str, Any]:
    """A property of `contributes.configuration` for one setting."""
    several = [one["type"] for one in found.get("anyOf", ())]
    shown: dict[str, Any] = {"type": several or found["type"]}
    if "items" in found:
        shown["items"] = {"type": found["items"]["type"]}
    shown |= {name: found[name] for name in KEPT if name in found}
    shown["default"] = list(found["default"]) if "items" in found else found["default"]
    shown["scope"] = "machine" if key in MACHINE else "resource"
    shown["description"] = f"%config.{key}%"
    return shown


def generated() -> dict[Path, str]:
    """The files as they should be."""
    found = dict(leaves(Settings.model_json_schema(by_alias=False)))
    missing = [key for key, one in found.items() if not one["description"]]
    if missing:
        raise SystemExit(f"settings without a description in core/settings.py: {missing}")
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    own, ours = manifest["contributes"]["configuration"]
    ours["properties"] = {f"mindnet.{key}": property_of(key, one) for key, one in found.items()}
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    trust["restrictedConfigurations"] = [*own["properties"], *(f"mindnet.{k}" for k in RESTRICTED)]
    words = json.loads(WORDS.read_text("utf-8"))
    words = {key: text for key, text in words.items() if not key.startswith("config.")} | {
        key: text for key, text in words.items() if key.startswith("config.server.")
    }
    words |= {f"config.{key}": one["description"] for key, one in found.items()}
    return {MANIFEST: _json(manifest), WORDS: _json(words)}


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write or check the files; the exit code."""
    stale = {path: text for path, text in generated().items() if path.read_text("utf-8") != text}
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run scripts/editor_settings.py")
        return 1 if stale else 0
    for path, text in stale.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
