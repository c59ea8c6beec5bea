"""The code that attrs writes for the protocol's types, kept as Python keeps our own.

lsprotocol has 554 types, and attrs writes and compiles methods for each of them at every start:
a fifth of the time until `initialize` is answered. Python's compiler is asked once; what it made
lies beside our own byte code, under the same rules (`PYTHONDONTWRITEBYTECODE`,
`PYTHONPYCACHEPREFIX`), and is found by the very text of the code. So another version of attrs,
cattrs or lsprotocol finds nothing that does not fit, and without the file all is only slower.
"""

from __future__ import annotations

import importlib.util
import marshal
import os
import sys
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any

WRITERS = ("attr._make", "cattrs.gen")
"""Modules that write code and have it compiled."""
_MARK = importlib.util.MAGIC_NUMBER
_MOST = 2_000
"""Codes in the file. One start has 400, and another client some of its own; beyond are those of
versions that are gone."""
_SUM = 16


class KeptCode:
    """What was compiled at earlier starts, and what this one adds."""

    def __init__(self, file: str | None = None) -> None:
        """From now on attrs and cattrs have their code compiled here, until `end`."""
        self.compiled = 0
        """Texts that the compiler was asked for."""
        self._file = file or kept_file()
        self._known = _load(self._file)
        self._used: dict[bytes, CodeType] = {}
        self._writers: list[ModuleType] = []
        for name in WRITERS:
            with suppress(ImportError):
                self._writers.append(import_module(name))
        for module in self._writers:
            vars(module)["compile"] = self.compile  # goes before the builtin

    def compile(self, text: Any, filename: str, mode: str, *more: Any, **options: Any) -> Any:
        """As the builtin, for the texts of attrs and cattrs. A code that several types have in
        common carries the name of the first."""
        if more or options or mode != "exec" or not isinstance(text, str):
            return compile(text, filename, mode, *more, **options)
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SUM).digest()
        code = self._used.get(key) or self._known.get(key)
        if code is None:
            self.compiled += 1
            code = compile(text, filename, mode)
        self._used[key] = code
        return code

    def end(self) -> None:
        """The compiler is the builtin again. What was used is kept, if any of it is new; a
        folder that cannot be written is left as it is."""
        for module in self._writers:
            vars(module).pop("compile", None)
        if self.compiled and not sys.dont_write_bytecode:
            every = {**self._known, **self._used}
            body = marshal.dumps(every if len(every) <= _MOST else self._used)
            new = f"{self._file}.{os.getpid()}"
            try:
                os.makedirs(os.path.dirname(self._file), exist_ok=True)
                with open(new, "wb") as stream:
                    stream.write(_MARK + _sum(body) + body)
                os.replace(new, self._file)
            except OSError:
                with suppress(OSError):
                    os.unlink(new)


def kept_file() -> str:
    """Beside our own byte code."""
    own = importlib.util.cache_from_source(__file__)
    return f"{own.removesuffix('.pyc')}.types"


def _load(file: str) -> dict[bytes, CodeType]:
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        return {}
    head, body = data[: len(_MARK) + _SUM], data[len(_MARK) + _SUM :]
    # half a file would not be refused by marshal, but end the process
    if head != _MARK + _sum(body):
        return {}
    found = marshal.loads(body)
    return found if isinstance(found, dict) else {}


def _sum(body: bytes) -> bytes:
    return blake2b(body, digest_size=_SUM).digest()
