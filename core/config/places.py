"""Where a vault's own YAML files describe a relation kind or a note type."""

from __future__ import annotations

from pathlib import Path

from core.config.files import VAULT_FOLDER, load_overlay
from core.parse.kinds import normal_kind
from core.text import fold


def described_at(root: Path, what: str, name: str) -> tuple[str, int] | None:
    """The vault path of the file and the 0-based line; None where the vault has no own entry.

    `what` is `relations` or `types`, `name` the kind or type. Reads one small file.
    """
    import yaml

    path = f"{VAULT_FOLDER}/{what}.yaml"
    overlay, _ = load_overlay(root / path)
    if overlay is None:
        return None
    same = normal_kind if what == "relations" else fold
    tree = yaml.compose(overlay.text, Loader=yaml.SafeLoader)
    for key, value in tree.value if isinstance(tree, yaml.MappingNode) else ():
        if key.value == what and isinstance(value, yaml.MappingNode):
            for entry, _ in value.value:
                if same(str(entry.value)) == same(name):
                    return path, entry.start_mark.line
    return None
