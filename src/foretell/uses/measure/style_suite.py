"""The suite `styles`: functions in the styles of other codes, with their data described in `styles/cases.toml`.

Its sizes are fixed and not chosen for a machine, and its data are made as the file says: no front end reads the
sources, so what is measured does not depend on what can be predicted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.errors import InputError
from foretell.uses.measure.program_text import assembled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STYLES = Path(str(resources.files("foretell.uses"))) / "measure" / "styles"
_CASES = STYLES / "cases.toml"
_LANGUAGES = {".c": "c", ".cpp": "c++", ".f90": "fortran"}
_KEYS = frozenset({"file", "after", "call", "make", "sizes", "macros", "predict", "arguments", "bytes", "declare"})
#: TYPE STARS NAME[EXTENT][EXTENT] = FILL, where the type is missing for globals of the source
_ARRAY = re.compile(r"(?P<type>.*?)(?P<name>\w+)(?P<extents>(?:\[[^\]]+\])+)(?: = (?P<fill>.*))?", re.DOTALL)
_VALUE = re.compile(r"(?P<type>.*\S)\s+(?P<name>\w+) = (?P<fill>.*)", re.DOTALL)
_NUMERIC = re.compile(r"(?:unsigned )?(?:double|float|char|int|long|unsigned|u?int\d+_t)")
_RANDOM = "foretell_random()"


@dataclass(frozen=True, slots=True)
class Datum:
    """Something that a call needs. With extents an array, of as many levels of pointers as it has further extents; one
    without a type is a global of the source. Without extents a value."""

    name: str
    c_type: str
    extents: tuple[str, ...]
    fill: str

    @classmethod
    def parsed(cls, text: str) -> Datum:
        """Parses an entry of `make`."""
        array = _ARRAY.fullmatch(text)
        if array:
            extents = tuple(re.findall(r"\[([^\]]+)\]", array["extents"]))
            c_type = array["type"].strip()
            stars = len(extents) - 1
            if stars:
                c_type = c_type.removesuffix("*" * stars).strip()
            return cls(array["name"], c_type, extents, array["fill"] or "R()")
        value = _VALUE.fullmatch(text)
        if not value:
            raise InputError(f"neither an array nor a value: {text}", file=_CASES)
        return cls(value["name"], value["type"], (), value["fill"])

    @property
    def is_global(self) -> bool:
        return not self.c_type

    @property
    def is_numeric(self) -> bool:
        """Whether its elements can be added up."""
        return self.is_global or (bool(self.extents) and _NUMERIC.fullmatch(self.c_type) is not None)


@dataclass(frozen=True, slots=True)
class Style:
    """One function with the data of its calls, at one size."""

    name: str
    file: Path
    call: str
    data: tuple[Datum, ...]
    where: str
    sizes: Mapping[str, int]
    macros: Mapping[str, int]
    parameters: Mapping[str, float]
    bytes: int
    declare: str = ""
    #: arguments of the call as `--arg` gives them, where compiled code without nests of the source is followed
    arguments: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        return _LANGUAGES[self.file.suffix]

    @property
    def function(self) -> str:
        """The function that is called, as the source names it."""
        called = self.call.removeprefix("= ").partition("(")[0]
        return called.removesuffix("_") if self.language == "fortran" else called

    @property
    def defines(self) -> tuple[str, ...]:
        """The macros as flags of a compiler."""
        return tuple(f"-D{name}={value}" for name, value in self.macros.items())

    @property
    def text(self) -> str:
        """The program that times the calls; it takes the sizes on its command line, in their order."""
        return _text(self)


def styles() -> Iterator[Style]:
    """Every function of the suite at every size."""
    document = files.parse_toml(files.read_text(_CASES), _CASES)
    for name, entry in document["case"].items():
        unknown = entry.keys() - _KEYS
        if unknown:
            raise InputError(f"case {name}: unknown key {min(unknown)!r}", file=_CASES)
        data = tuple(Datum.parsed(text) for text in entry.get("make", ()))
        for place, (where, size) in enumerate(zip(document["levels"], entry["bytes"], strict=False)):
            sizes = {key: values[place] for key, values in entry.get("sizes", {}).items()}
            macros = {key: values[place] for key, values in entry.get("macros", {}).items()}
            yield Style(
                name, STYLES / entry["file"], entry["call"], data, where, sizes, macros,
                _parameters(entry, sizes), size, entry.get("declare", ""), tuple(entry.get("arguments", ())),
            )  # fmt: skip


def _parameters(entry: Mapping[str, object], sizes: Mapping[str, int]) -> dict[str, float]:
    """What a prediction has to be given: sizes that the call passes on, or what the entry says."""
    if isinstance(given := entry.get("arguments"), list):
        return {name: float(value) for name, value in sizes.items() if re.search(rf"\b{name}\b", " ".join(given))}
    said = entry.get("predict")
    if isinstance(said, dict):
        return {name: float(sizes.get(value, value)) for name, value in said.items()}
    return {name: float(value) for name, value in sizes.items() if re.search(rf"\b{name}\b", str(entry["call"]))}


def _text(style: Style) -> str:
    names = {name: f"foretell_n_{name}" for name in style.sizes}
    for datum in style.data:
        if not datum.is_global:
            names[datum.name] = f"foretell_v_{datum.name}" if datum.extents else f"(*foretell_v_{datum.name})"
    if style.language == "fortran":
        declare = style.declare or f"void {style.function}_();"
    else:
        declare = f'#include "{style.file.resolve()}"'
    declarations = [_HELPERS, *(f"static volatile long foretell_n_{name};" for name in style.sizes)]
    declarations += [
        f"static {datum.c_type} *{'*' * (len(datum.extents) - 1)}foretell_v_{datum.name};"
        for datum in style.data
        if not datum.is_global
    ]
    fills = [f"  foretell_n_{name} = atol(*given++);" for name in style.sizes]
    for number, datum in enumerate(style.data):
        fills += _filled(datum, number, names, style.language)
    sums = ["  sum += foretell_result;"]
    sums += [line for datum in style.data if datum.is_numeric for line in _summed(datum, names)]
    return assembled(declare, declarations, _call(style, names), fills, sums)


def _call(style: Style, names: Mapping[str, str]) -> str:
    """Calls through a volatile pointer: the compiler cannot propagate constants into the function."""
    called, _, rest = style.call.removeprefix("= ").partition("(")
    given = _renamed(rest.removesuffix(")"), names)
    result = "foretell_result = (double)" if style.call.startswith("= ") else ""
    return f"__typeof__(&{called}) volatile foretell_target = {called}; {result}foretell_target({given})"


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """An expression with the harness's names of sizes and data, which no source can have."""
    text = re.sub(r"\bI\(", "foretell_below(", text.replace("R()", _RANDOM))
    return re.sub(r"(?<![\w.'>])[A-Za-z_]\w*\b(?!')", lambda found: names.get(found[0], found[0]), text)


def _filled(datum: Datum, number: int, names: Mapping[str, str], language: str) -> list[str]:
    fill = _renamed(datum.fill, names)
    variable = f"foretell_v_{datum.name}"
    if not datum.extents:
        if language == "c++":
            return [f"  {variable} = new {datum.c_type}({fill});"]
        return [f"  {variable} = ({datum.c_type} *)foretell_get(sizeof *{variable}, {number}); *{variable} = {fill};"]
    extents = [_renamed(extent, names) for extent in datum.extents]
    if datum.is_global:
        return [_loop(extents[0], f"{_flat(datum)}[k] = {fill};")]
    if len(extents) == 1:
        get = f"foretell_get((size_t)({extents[0]}) * sizeof *{variable}, {number})"
        return [f"  {variable} = ({datum.c_type} *){get};", _loop(extents[0], f"{variable}[k] = {fill};")]
    return [_pointers(datum.c_type, variable, extents, number), *_rows(variable, extents, fill)]


def _loop(extent: str, body: str) -> str:
    return f"  for (long k = 0, end = {extent}; k < end; k++) {body}"


def _pointers(c_type: str, variable: str, extents: Sequence[str], number: int) -> str:
    """Allocates tables of pointers and rows, each by itself as programs do."""
    stars = "*" * (len(extents) - 1)
    get = f"foretell_get((size_t)({extents[0]}) * sizeof *{variable}, {number})"
    lines = [f"  {variable} = ({c_type} {stars}*){get};"]
    for depth, extent in enumerate(extents[1:], 1):
        at = variable + "".join(f"[{index}]" for index in "ijk"[:depth])
        loops = " ".join(
            f"for (long {index} = 0; {index} < ({bound}); {index}++)"
            for index, bound in zip("ijk", extents[:depth], strict=False)
        )
        kind = f"{c_type} {'*' * (len(extents) - depth)}"
        lines.append(f"  {loops} {at} = ({kind})malloc((size_t)({extent}) * sizeof *{at});")
    return "\n".join(lines)


def _rows(variable: str, extents: Sequence[str], fill: str) -> list[str]:
    indices = "ij" if len(extents) == 2 else "ijk"
    loops = " ".join(
        f"for (long {index} = 0; {index} < ({extent}); {index}++)"
        for index, extent in zip(indices, extents, strict=True)
    )
    return [f"  {loops} {variable}{''.join(f'[{index}]' for index in indices)} = {fill};"]


def _flat(datum: Datum) -> str:
    """A global array of so many dimensions as its extent has factors, as one of one dimension."""
    element = datum.name + "[0]" * (1 + datum.extents[0].count("*"))
    return f"(&{element})"


def _summed(datum: Datum, names: Mapping[str, str]) -> list[str]:
    """Adds up the elements of an array."""
    extents = [_renamed(extent, names) for extent in datum.extents]
    if datum.is_global:
        return [_loop(extents[0], f"sum += (double){_flat(datum)}[k];")]
    indices = "ijk"[: len(extents)]
    loops = " ".join(
        f"for (long {index} = 0; {index} < ({extent}); {index}++)"
        for index, extent in zip(indices, extents, strict=True)
    )
    return [f"  {loops} sum += (double)foretell_v_{datum.name}{''.join(f'[{index}]' for index in indices)};"]


_HELPERS = """\
static volatile double foretell_result;
static double foretell_random(void) { return (double)(foretell_next() >> 11) * 0x1p-53; }
static long foretell_below(uint64_t limit) { return (long)(foretell_next() % limit); }
"""
