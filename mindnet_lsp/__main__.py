"""`mindnet-lsp`, also as `python -m mindnet_lsp`."""

import os
import sys

# `python -m` puts the working folder in front: a vault with a `core/` or a `yaml.py` in it
# would run as our code. It stays only where this very package lives.
_HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
try:
    _CWD = os.getcwd()
except FileNotFoundError:  # the folder is gone; it can put nothing in front either
    _CWD = ""
if sys.path and sys.path[0] in ("", _CWD) and os.path.realpath(sys.path[0]) != _HERE:
    del sys.path[0]

import argparse  # noqa: E402
import gc  # noqa: E402
import logging  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from typing import NoReturn  # noqa: E402

from core.version import __version__  # noqa: E402

LEVELS = ("debug", "info", "warning", "error")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the server and end the process: with 0 after `shutdown`, else with 1."""
    options = _parser().parse_args(arguments)
    _log_to(options.log_file, options.log_level)
    gc.disable()  # nothing that a start makes is ever garbage; on again with the first answer
    # pydantic would look through everything that is installed for plugins
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    from mindnet_lsp.kept_code import KeptCode

    kept = KeptCode()
    from mindnet_lsp import transport
    from mindnet_lsp.server import create_server

    server = create_server()

    def answered() -> None:
        kept.end()
        gc.freeze()
        gc.enable()

    server.protocol.on_answered = answered
    server.log_level = options.log_level.upper() if options.log_level else None
    if options.tcp:
        code = transport.serve_tcp(server, options.host, options.port)
    else:
        code = transport.serve_stdio(server)
    logging.shutdown()
    # a large index freed piece by piece takes a second; the system frees it at once
    os._exit(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("mindnet-lsp", description="Language server for note vaults")
    # editors' client libraries add --stdio by themselves
    parser.add_argument("--stdio", action="store_true", help="serve on stdin and stdout (default)")
    parser.add_argument("--tcp", action="store_true", help="serve one client over TCP")
    parser.add_argument("--host", default="127.0.0.1", help="address for --tcp")
    parser.add_argument("--port", type=int, default=2087, help="port for --tcp, 0 for any")
    parser.add_argument("--log-level", choices=LEVELS, help="default: the setting log.level")
    parser.add_argument("--log-file", help="write the log here instead of stderr")
    parser.add_argument("--clientProcessId", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--version", action="version", version=f"mindnet-lsp {__version__}")
    return parser


def _log_to(file: str | None, level: str | None) -> None:
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if file:
        try:
            handler = logging.FileHandler(os.path.expanduser(file), encoding="utf-8")
        except OSError as error:
            sys.stderr.write(f"mindnet-lsp: the log file cannot be written: {error.strerror}\n")
    logging.basicConfig(
        level=logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        handlers=[handler],
    )
    for name in ("core", "mindnet_lsp"):
        logging.getLogger(name).setLevel((level or "warning").upper())
    # pygls logs whole messages, which hold the text of notes; what goes wrong is ours to log
    logging.getLogger("pygls").setLevel(logging.CRITICAL)


if __name__ == "__main__":
    main()
