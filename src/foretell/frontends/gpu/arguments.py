"""Arguments of a kernel as text: pointers with the contents of their arrays, scalars, structures passed by value."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from foretell.core.gpu.launch import ELEMENT_BYTES, Argument, Contents, Element, Pointer, Scalar, Structure, TensorMap
from foretell.errors import InputError, nearest
from foretell.units import BINARY_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME = re.compile(r"([A-Za-z_]\w{0,63})\s*=(?!=)\s*(.*)", re.DOTALL)
_ARRAY = re.compile(r"(.+?)\s*\[([^\[\]]+)\]\s*(?:@(.+))?", re.DOTALL)
_TYPE = re.compile(r"([a-z]+\d+)(?:x(\d+))?")
_FACTOR = re.compile(r"(\d[\d_]{0,18})([KMGkmg]i?)?")
_SCALAR = re.compile(
    r"(?:([a-zA-Z_][\w ]*):)?([-+]?(?:0x[0-9a-fA-F]+|\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+))([KMG]i?)?"
)
_MAP = re.compile(r"tensor_map\(\s*(\w+)\s*\[([^,\]]+),([^\]]+)\]\s*,\s*(\d{1,3})x(\d{1,3})\s*(?:,\s*swizzle\s*)?\)")
_CALL = re.compile(r"([a-z]+)(?:\(([^()]*)\))?")
_REPEATED = re.compile(r"\s*(\d{1,6})\s*\*(.*)", re.DOTALL)
#: maximum fields of a structure, the bytes of parameters (CUDA C++ Programming Guide, 12.1: 32,764), and nesting
#: depth of structures
_MOST_FIELDS, _DEEPEST = 32764, 8
#: types of C and CUDA on 64-bit Linux, and words that do not change their size
_C_TYPES = {
    "float": "f32", "double": "f64", "half": "f16", "__half": "f16", "__nv_bfloat16": "bf16", "bool": "u8",
    "char": "i8", "signed char": "i8", "unsigned char": "u8", "uchar": "u8", "short": "i16", "unsigned short": "u16",
    "ushort": "u16", "int": "i32", "unsigned": "u32", "unsigned int": "u32", "uint": "u32", "long": "i64",
    "unsigned long": "u64", "long long": "i64", "unsigned long long": "u64", "size_t": "u64",
    **{f"{sign}int{bits}_t": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
_QUALIFIERS = ("const", "volatile", "restrict", "__restrict__", "__restrict")
_CONTENTS = ("iota", "permutation", "random", "normal", "constant", "offsets")
_FILES = (".npy", ".bin", ".raw")
_LARGEST_ARRAY = 1 << 48
#: CUDA driver API, cuTensorMapEncodeTiled: boxDim
_LARGEST_TILE = 256
_HINT = (
    "a pointer is f32[1024], float[1M], i32[8]@random(0,9) or struct{i32,f32}[64]@FILE.npy; a scalar 2048, 1M or "
    "f64:1.5; a structure {f32[1024], 4}; a tensor map tensor_map(f16[4096,4096], 128x64)"
)


def parse_argument(text: str, folder: Path | None = None, depth: int = 0) -> Argument:
    """Parses one argument: f32[1024], x=i32[8]@iota, 2048, f64:1.5; a structure: {f32[1024], 64*f32:0.5}. Names of
    files are relative to `folder`, or else to the working directory."""
    stripped = text.strip()
    named = _NAME.fullmatch(stripped)
    name, stripped = (named[1], named[2].strip()) if named else ("", stripped)
    if stripped.startswith("{") and stripped.endswith("}"):
        return _structure(stripped, folder, depth + 1)
    if found := _MAP.fullmatch(stripped):
        return _tensor_map(found, stripped, name)
    if found := _ARRAY.fullmatch(stripped):
        return _pointer(found, stripped, name, folder)
    if found := _SCALAR.fullmatch(stripped):
        return _scalar(found, text)
    raise InputError(f"{text!r} is not an argument", hint=_HINT)


def _scalar(found: re.Match[str], text: str) -> Scalar:
    kind, digits = own_type(found[1] or ""), found[2].replace("_", "")
    _check_type(kind or "i32", text)
    try:
        value = float(int(digits, 16)) if "0x" in digits else float(digits)
    except OverflowError:  # of whole numbers; of others infinity
        value = math.inf
    value *= BINARY_PREFIXES[found[3][0]] if found[3] else 1
    if not math.isfinite(value):
        raise InputError(f"{text!r} is not a finite number")
    return Scalar(value, kind or ("" if value == int(value) and "." not in digits else "float"))


def _tensor_map(found: re.Match[str], text: str, name: str) -> TensorMap:
    """Tiles of an array of two dimensions. How they are swizzled in shared memory does not matter."""
    rows, columns = parse_count(found[2].strip(), text), parse_count(found[3].strip(), text)
    element, tile = _element(found[1], text), (int(found[4]), int(found[5]))
    if rows < 1 or columns < 1 or rows * columns * element.bytes > _LARGEST_ARRAY:
        raise InputError(f"{text!r}: an array has between 1 element and 256 TiB")
    if not all(1 <= size <= _LARGEST_TILE for size in tile):
        raise InputError(f"{text!r}: a tile has 1 to {_LARGEST_TILE} rows and columns")
    return TensorMap(Pointer(element, rows * columns, None, name), rows, tile)


def _structure(text: str, folder: Path | None, depth: int) -> Structure:
    fields: list[Argument] = []
    for count, part in _fields(text, depth):
        fields += [parse_argument(part, folder, depth)] * count
    return Structure(tuple(fields))


def _fields(text: str, depth: int) -> Iterator[tuple[int, str]]:
    """The fields of {first, 3*second}, each with its number of repetitions."""
    total = 0
    for part in _parts(text[1:-1]):
        repeated = _REPEATED.fullmatch(part)
        count, field = (int(repeated[1]), repeated[2]) if repeated else (1, part)
        total += count
        if depth > _DEEPEST or not count > 0 or total > _MOST_FIELDS:
            raise InputError(f"a structure has 1 to {_MOST_FIELDS} fields, {_DEEPEST} in each other")
        yield count, field


def _parts(text: str) -> Iterator[str]:
    """Splits at commas outside of brackets."""
    depth = begin = 0
    for place, letter in enumerate(text):
        depth += (letter in "{(") - (letter in "})")
        if letter == "," and depth == 0:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


# ------------------------------------------------------------------------------------------ arrays


def _pointer(found: re.Match[str], text: str, name: str, folder: Path | None) -> Pointer:
    element, count = _element(found[1].strip(), text), parse_count(found[2], text)
    if count < 1 or count * element.bytes > _LARGEST_ARRAY:
        raise InputError(f"{text!r}: an array has between 1 element and 256 TiB")
    contents = _contents(found[3].strip(), element, text, folder) if found[3] else None
    return Pointer(element, count, contents, name)


def _element(text: str, whole: str, depth: int = 0) -> Element:
    if text.startswith("struct"):
        body = text.removeprefix("struct").strip()
        if not (body.startswith("{") and body.endswith("}")):
            raise InputError(f"{whole!r}: a structure is written struct{{i32,f32x2}}")
        fields: list[Element] = []
        for count, part in _fields(body, depth + 1):
            fields += [_element(part.strip(), whole, depth + 1)] * count
        return Element("struct", fields=tuple(fields))
    match = _TYPE.fullmatch(own_type(text))
    if match is None:
        raise InputError(f"{whole!r} is not an argument", hint=_HINT)
    lanes = int(match[2] or 1)
    _check_type(match[1], whole)
    if lanes not in (1, 2, 3, 4, 8):
        raise InputError(f"{whole!r}: a vector has 2, 3, 4 or 8 lanes")
    return Element(match[1], lanes)


def own_type(text: str) -> str:
    """The name of a type of C or CUDA (`const float *`, `unsigned int`, `float4`) here; any other as it is."""
    words = " ".join(word for word in re.findall(r"\w+", text) if word not in _QUALIFIERS)
    vector = re.fullmatch(r"(.*[a-z])([234])", words)
    if vector and vector[1] in _C_TYPES:
        return f"{_C_TYPES[vector[1]]}x{vector[2]}"
    return _C_TYPES.get(words, text)


def _check_type(kind: str, text: str) -> None:
    if kind not in ELEMENT_BYTES:
        raise InputError(f"{text!r}: unknown type {kind!r}{nearest(kind, ELEMENT_BYTES)}")


def parse_count(text: str, whole: str) -> int:
    """A number of elements: 4096, 64K, 1M (1024 times 1024, as Mi), 3*512*512, 1M*3/4 (whole numbers, as in C)."""
    result, operation = 1, "*"
    for part in re.split(r"([*/])", text):
        if part in ("*", "/"):
            operation = part
            continue
        factor = _factor(part.strip(), text, whole)
        if operation == "/" and factor == 0:
            raise InputError(f"{whole!r}: {text.strip()!r} divides by zero")
        result = result * factor if operation == "*" else result // factor
    return result


def _factor(part: str, text: str, whole: str) -> int:
    found = _FACTOR.fullmatch(part)
    if found is None:
        raise InputError(
            f"{whole!r}: {text.strip()!r} is not a number of elements", hint="4096, 64K, 1M, 3*512*512, 1M*3/4"
        )
    return int(found[1].replace("_", "")) * BINARY_PREFIXES.get((found[2] or "")[:1].upper(), 1)


# ------------------------------------------------------------------------------------------ contents


def _contents(text: str, element: Element, whole: str, folder: Path | None) -> Contents:
    if text.endswith(_FILES):
        beside = folder is not None and (folder / text).exists()
        return Contents("file", file=str(folder / text) if folder and beside else text)
    call = _CALL.fullmatch(text)
    if call is None or call[1] not in _CONTENTS:
        raise InputError(
            f"{whole!r}: contents {text!r} are not understood{nearest(text, _CONTENTS)}",
            hint="known: random(low,high), normal(mean,deviation), constant(value), iota, permutation, offsets(mean), "
            "FILE.npy, FILE.bin (raw bytes)",
        )
    if not element.scalar:
        raise InputError(
            f"{whole!r}: contents of structures of different types come from a file",
            hint="a .npy of a structured type, or raw bytes in a .bin",
        )
    values = _numbers(call[2], whole)
    match call[1]:
        case "iota" | "permutation" if not values:
            return Contents("iota" if call[1] == "iota" else "permutation")
        case "random":
            return _random(values, element, whole)
        case "normal" if len(values) in (0, 2):
            mean, deviation = values or [0.0, 1.0]
            if deviation >= 0:
                return Contents("normal", mean, deviation)
        case "constant" if len(values) == 1 and (element.floating or values[0] == int(values[0])):
            return Contents("constant", values[0])
        case "offsets" if len(values) == 1:
            return _offsets(values[0], element, whole)
    raise InputError(f"{whole!r}: {_USE[call[1]]}")


_USE = {
    "iota": "iota takes no numbers",
    "permutation": "permutation takes no numbers",
    "normal": "normal(mean,deviation) takes two numbers, the second at least 0",
    "constant": "constant(value) takes one number of the element's type",
    "offsets": "offsets(mean) takes one number",
}


#: above all numbers that an element can be
_LARGEST = 1 << 64


def _numbers(text: str | None, whole: str) -> list[float]:
    try:
        values = [
            int(part) if re.fullmatch(r"\s*[-+]?\d+\s*", part) else float(part) for part in (text or "").split(",")
        ]
    except ValueError:
        if text is None or not text.strip():
            return []
        raise InputError(f"{whole!r}: {text!r} are not numbers") from None
    if any(isinstance(value, int) and abs(value) >= _LARGEST for value in values) or not all(
        map(math.isfinite, values)
    ):
        raise InputError(f"{whole!r}: {text!r} are not finite numbers of 64 bits")
    return values


def _random(values: list[float], element: Element, whole: str) -> Contents:
    """Floating-point numbers are between 0 and 1 by default; integers need their limits."""
    if not values and element.floating:
        values = [0.0, 1.0]
    whole_numbers = element.floating or all(value == int(value) for value in values)
    if len(values) != 2 or not values[0] < values[1] or not whole_numbers:
        raise InputError(f"{whole!r}: random(low,high) needs low < high")
    if not element.floating and not -(2**63) <= values[0] < values[1] <= 2**63:
        raise InputError(f"{whole!r}: random(low,high) needs low < high within 64 bits")
    return Contents("random", values[0], values[1])


def _offsets(mean: float, element: Element, whole: str) -> Contents:
    """Starts of lists; of elements of two numbers, start and length."""
    if not 1 <= mean < 10**9 or mean != int(mean):
        raise InputError(f"{whole!r}: offsets(mean) needs a mean of at least 1")
    return Contents("extents" if element.numbers == 2 else "offsets", int(mean))
