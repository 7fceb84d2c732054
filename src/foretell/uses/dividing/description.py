"""Split files: the work of a code in items, and for each device its machine, its code at a number of items, and the
copies over its link.

title = "y = a x + y"
items = 33554432
step = 256                              # shares are multiples of so many items; 1

[device.cpu]
machine = "here.toml"                   # a file beside this one, or a machine of the library
code = "saxpy.c:saxpy"                  # a file beside this one
parameters = { begin = "0", end = "items" }
threads = 16
assembly = "saxpy.s"                    # the compiler's own, instead of compiling the code now

[device.gpu]
machine = "h200"
code = "saxpy.cu:saxpy_gpu"
grid = "items / 256"
block = "256"
args = ["items", "0.5", "f32[items]", "f32[items]"]
to_device = ["4 * items", "4 * items"]  # bytes of each copy
to_host = ["4 * items"]

Numbers are expressions over `items`, the items of that device; sizes of grids are rounded up.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell import api, files
from foretell.core.columns.expression import Expression
from foretell.errors import InputError
from foretell.frontends.files.toml_keys import KeyedFile, known, table, text
from foretell.machines import load

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.api import Case
    from foretell.core.machine.machine import Machine

SUFFIX = ".split.toml"
_KEYS = ("title", "items", "step", "device")
_DEVICE_KEYS = (
    "machine", "code", "kernel", "parameters", "threads", "assembly", "grid", "block", "args", "dynamic_shared",
    "to_device", "to_host",
)  # fmt: skip
_BRACKETS = re.compile(r"\[([^\]]*)\]")
_DEVICES = 2


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A device and its code; `entry` are the texts of its table."""

    name: str
    machine: Machine
    entry: dict[str, Any]
    file: KeyedFile

    def case(self, items: int) -> Case:
        """The question for so many items."""
        with self.file.at(f"device.{self.name}"):
            return api.prepare(self._code(), self.machine, **self._reading(items), **self._sizes(items))

    def copies(self, items: int, direction: str) -> list[int]:
        """Bytes of the copies in a direction, `to_device` or `to_host`."""
        given = self.entry.get(direction, [])
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            raise self.file.error(f"device.{self.name}.{direction}", 'must be a list of texts, ["4 * items"]')
        return [self._number(direction, item, items) for item in given]

    def _code(self) -> str:
        name = text(self.file, self.entry, "code", "")
        beside = self.file.path.parent / name
        return name if name.startswith("example:") else str(beside)

    def _reading(self, items: int) -> dict[str, Any]:
        """How code is read: the launch of a kernel at these items."""
        result: dict[str, Any] = {key: self.entry[key] for key in ("kernel",) if key in self.entry}
        for key in ("grid", "block"):
            if key in self.entry:
                parts = self._text(key).split(",")
                result[key] = ",".join(str(self._number(key, part, items)) for part in parts)
        if "dynamic_shared" in self.entry:
            result["dynamic_shared"] = str(self._number("dynamic_shared", self._text("dynamic_shared"), items))
        if "args" in self.entry:
            result["args"] = tuple(self._argument(str(item), items) for item in self.entry["args"])
        return result

    def _sizes(self, items: int) -> dict[str, Any]:
        """Parameters of code for CPUs, its threads, and its compiler's assembly."""
        given = table(self.file, self.entry, "parameters")
        sizes = {name: float(self._number(f"parameters.{name}", str(item), items)) for name, item in given.items()}
        if "threads" in self.entry:
            sizes["threads"] = float(self._number("threads", str(self.entry["threads"]), items))
        result: dict[str, Any] = {"parameters": sizes} if sizes else {}
        if "assembly" in self.entry:
            result["options"] = {"asm": str(self.file.path.parent / self._text("assembly"))}
        return result

    def _text(self, key: str) -> str:
        return text(self.file, {key: str(self.entry[key])}, key, "")

    def _argument(self, given: str, items: int) -> str:
        """An argument of a kernel, with the sizes of its arrays as numbers."""
        if "[" in given:
            return _BRACKETS.sub(lambda match: f"[{self._number('args', match[1], items)}]", given, count=1)
        return str(self._number("args", given, items)) if "items" in given else given

    def _number(self, key: str, given: str, items: int) -> int:
        try:
            return math.ceil(float(Expression(given.strip()).evaluate({"items": float(items)})) - 1e-9)
        except InputError as error:
            raise self.file.error(f"device.{self.name}.{key}", error.message) from None


@dataclass(frozen=True, slots=True)
class DividedWork:
    """A split file."""

    name: str
    title: str
    items: int
    step: int
    devices: tuple[DeviceCode, ...]


def read(path: Path) -> DividedWork:
    """Reads a split file."""
    content = files.read_text(path)
    document = files.parse_toml(content, path)
    file = KeyedFile(path, content)
    known(file, "", document, _KEYS)
    items, step = (_count(file, document, key, default) for key, default in (("items", 0), ("step", 1)))
    tables = table(file, document, "device")
    if len(tables) < _DEVICES:
        raise file.error("device", "a split needs two devices: [device.cpu], [device.gpu]")
    return DividedWork(
        name=path.name.removesuffix(SUFFIX),
        title=text(file, document, "title", path.name),
        items=items,
        step=step,
        devices=tuple(_device(file, name, table(file, tables, name)) for name in tables),
    )


def _count(file: KeyedFile, document: dict[str, Any], key: str, default: int) -> int:
    value = document.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise file.error(key, "must be a whole number of at least 1")
    return value


def _device(file: KeyedFile, name: str, entry: dict[str, Any]) -> DeviceCode:
    known(file, f"device.{name}", entry, _DEVICE_KEYS)
    for key in ("machine", "code"):
        if key not in entry:
            raise file.error(f"device.{name}", f"{key} is missing")
    beside = file.path.parent / text(file, entry, "machine", "")
    with file.at(f"device.{name}.machine"):
        machine = load(beside if beside.exists() else entry["machine"])
    return DeviceCode(name, machine, entry, file)
