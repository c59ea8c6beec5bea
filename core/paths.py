"""Where mindnet keeps what it derives: one folder per vault, outside the vault."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

DATA_DIR_VARIABLE = "MINDNET_DATA_DIR"
CACHE_FILE = "links.cache"
"""The link cache of the language server, in the vault's data folder."""
_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


def packaged_docs_dir() -> Path:
    """The folder of the documents, in an installed wheel and in a checkout."""
    core = Path(__file__).resolve().parent
    installed = core / "_docs"
    return installed if installed.is_dir() else core.parent / "docs"


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The data folder of all vaults: `MINDNET_DATA_DIR`, else the user's data folder."""
    named = (os.environ if environ is None else environ).get(DATA_DIR_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("mindnet", appauthor=False)


def vault_data_dir(root: Path, environ: Mapping[str, str] | None = None) -> Path:
    """The data folder of the vault at `root`: its name and a hash of its real path.

    Only computed; `ensure_private` creates it.
    """
    real = os.path.realpath(root)
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    name = _PLAIN.sub("-", os.path.basename(real)).strip("-.")[:40] or "vault"
    return data_dir(environ) / f"{name}-{digest}"


def store_dir(folder: Path, configured: str | None) -> Path:
    """Where the store of the vault with this data folder lies: in it, or below the folder
    that the setting `store.path` names, which several vaults may share."""
    return Path(configured).expanduser() / folder.name if configured else folder / "store"


def ensure_private(folder: Path) -> Path:
    """Create `folder` (and its parents) for its user alone; raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)  # it was there already, open to others
    return folder
