"""`python -m core.service --vault DIR`: the core process that clients start for themselves.

Settings come as JSON on standard input. Everything that is said goes to standard
error, which the starting client points to the vault's log file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
from pathlib import Path

from core.errors import MindnetError, StoreLocked
from core.service.lifecycle import ALREADY_RUNNING, IDLE_EXIT_SECONDS, serve
from core.settings import from_environment, read_settings

logger = logging.getLogger("core.service")


def main() -> int:
    """Serve until idle; the exit code is 0, 2 for a failure, 3 if another core is there."""
    parser = argparse.ArgumentParser(prog="mindnet-core")
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--idle-exit", type=float, default=IDLE_EXIT_SECONDS)
    parser.add_argument("--settings-from-stdin", action="store_true")
    options = parser.parse_args()
    given = json.load(sys.stdin) if options.settings_from_stdin else {}
    settings, warnings = read_settings(from_environment(os.environ), given)
    logging.basicConfig(
        level=settings.log.level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    for warning in warnings:
        logger.warning("%s", warning)
    try:
        asyncio.run(serve(options.vault.resolve(), settings, idle_exit=options.idle_exit))
    except StoreLocked as error:
        logger.info("%s", error.message)
        return ALREADY_RUNNING
    except MindnetError as error:
        logger.error("%s %s", error.message, error.hint)
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
