"""Resident memory of a process, from `/proc` or `ps`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple


class Memory(NamedTuple):
    """In MB (10^6 bytes). `peak` is None where the system does not keep it (macOS)."""

    resident: float
    peak: float | None


def memory_of(pid: int) -> Memory:
    """Memory of a running process; raises `ProcessLookupError` if there is none."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        lines = (line.split() for line in status.read_text().splitlines())
        sizes = {line[0]: int(line[1]) * 1024 / 1e6 for line in lines if line[-1] == "kB"}
        if "VmRSS:" not in sizes:
            raise ProcessLookupError(f"process {pid} has ended")
        return Memory(sizes["VmRSS:"], sizes["VmHWM:"])
    shown = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    if not shown.stdout.strip():
        raise ProcessLookupError(f"no process {pid}")
    return Memory(int(shown.stdout) * 1024 / 1e6, None)


def children_of(pid: int) -> list[int]:
    """Direct children of a process, such as a core that the server started; needs `/proc`."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:  # it ended while we looked
            continue
        if int(parent) == pid:
            found.append(int(stat.parent.name))
    return sorted(found)


def folder_megabytes(folder: Path) -> float:
    """What all files below a folder take on the disk, in MB. A store reserves room in its files
    that it does not fill, and file systems give none for it."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 1e6
