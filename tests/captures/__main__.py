"""Write the captures into `docs/features.md`, or check them."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from tests.captures.scenes import SCENES
from tests.captures.stage import stage

PAGE = Path(__file__).parents[2] / "docs" / "features.md"
_CAPTURE = re.compile(r"<!-- capture: ([\w-]+) -->\n\n```text\n(.*?)```\n", re.DOTALL)


def captures(names: list[str]) -> dict[str, str]:
    """The captures of these scenes, or of all."""
    with (
        # the core may still write while it ends
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as tmp,
        stage(Path(tmp)) as played,
    ):
        wanted = [scene for scene in SCENES if not names or scene.name in names]
        return {scene.name: played.play(scene) for scene in wanted}


def filled(page: str, found: dict[str, str]) -> str:
    """The page with these captures in it. Raises KeyError for one that no scene gives."""
    known = {scene.name for scene in SCENES}

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name not in known:
            raise KeyError(name)
        text = found.get(name, match[2].rstrip("\n"))
        return f"<!-- capture: {name} -->\n\n```text\n{text}\n```\n"

    return _CAPTURE.sub(fill, page)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.captures", description=__doc__)
    parser.add_argument("names", nargs="*", help="scenes to play; all without any")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if outdated")
    parser.add_argument("--print", action="store_true", help="show the captures alone")
    given = parser.parse_args()
    found = captures(given.names)
    if given.print:
        for name, text in found.items():
            sys.stdout.write(f"== {name}\n{text}\n\n")
        return 0
    page = PAGE.read_text("utf-8")
    after = filled(page, found)
    if given.check:
        return 0 if after == page else 1
    PAGE.write_text(after, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
