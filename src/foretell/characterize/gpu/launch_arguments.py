"""Passes the arguments of a launch to the functional core: the constant bank of parameters, arrays and tensor maps."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from foretell import _core
from foretell.characterize.gpu import contents
from foretell.core.gpu.launch import ELEMENT_BYTES, Pointer, Scalar, TensorMap
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.gpu.launch import Argument, Launch, PassedArguments
    from foretell.core.gpu.sass import Parameter, SassKernel

BANK_BYTES = 0x1000
#: arrays start at multiples of this, far from each other and from zero
_FIRST_ADDRESS = 0x7F00_0000_0000
_ALIGNMENT = 1 << 21
#: offset in constant bank 0 of the generic address of the parameters in code of sm_90, and an address for them outside
#: all arrays
_PARAMETERS_PLACE, _PARAMETERS = 0x198, 0x7B00_0000_0000
#: bytes of a CUtensorMap
_MAP_BYTES = 128


def pass_arguments(kernel: SassKernel, launch: Launch, bank: bytearray, result: _core.FunctionalLaunch) -> None:
    """Writes the arguments into constant bank 0, and adds the arrays that they point to."""
    if kernel.arch == 90:
        struct.pack_into("<Q", bank, _PARAMETERS_PLACE, _PARAMETERS)
    if launch.passed:
        _pass_recorded(kernel, launch.passed, bank, result)
        return
    places = array_places(launch)
    addresses = (address for address, _ in places)
    for parameter, argument in zip(kernel.parameters, launch.arguments, strict=True):
        place = kernel.layout.parameters + parameter.offset
        if place + parameter.size > BANK_BYTES:
            bank.extend(bytes(place + parameter.size - len(bank)))
        if isinstance(argument, TensorMap):
            _add_map(result, argument, parameter, next(addresses))
        else:
            bank[place : place + parameter.size] = _value(argument, parameter, addresses)
    for (address, _), pointer in zip(places, launch.pointers, strict=True):
        _add_array(result, address, pointer)


def _pass_recorded(
    kernel: SassKernel, passed: PassedArguments, bank: bytearray, result: _core.FunctionalLaunch
) -> None:
    """Writes the bytes that a program passed, and adds its memory."""
    place, end = kernel.layout.parameters, kernel.layout.parameters + len(passed.parameters)
    bank.extend(bytes(max(0, end - len(bank))))
    bank[place:end] = passed.parameters
    for parameter in kernel.parameters:
        if parameter.size == _MAP_BYTES:  # perhaps a tensor map
            own = passed.parameters[parameter.offset : parameter.offset + _MAP_BYTES]
            result.add_encoded_map(_PARAMETERS + parameter.offset, own)
    for item, pointer in zip(passed.arrays, passed.pointers, strict=True):
        if item.data is None:
            _add_array(result, item.address, pointer)
        else:
            result.add_data(item.address, item.bytes, 1, item.data)


def _add_map(result: _core.FunctionalLaunch, argument: TensorMap, parameter: Parameter, base: int) -> None:
    """Adds a tensor map at the address of its parameter."""
    if parameter.size != _MAP_BYTES:
        raise InputError(
            f"argument {parameter.ordinal + 1}: the parameter has {parameter.size} bytes: it is not a tensor map"
        )
    rows, columns = argument.tile
    result.add_tensor_map(
        address=_PARAMETERS + parameter.offset,
        base=base,
        rows=argument.rows,
        columns=argument.columns,
        element=argument.pointer.element.bytes,
        tile_rows=rows,
        tile_columns=columns,
    )


def array_places(launch: Launch) -> list[tuple[int, int]]:
    """Addresses of the arrays of a launch: first address and bytes, ascending; simulated ones but of a program."""
    if launch.passed:
        return [(item.address, item.bytes) for item in launch.passed.arrays]
    places, address = [], _FIRST_ADDRESS
    for pointer in launch.pointers:
        places.append((address, pointer.bytes))
        address += -(-pointer.bytes // _ALIGNMENT) * _ALIGNMENT + _ALIGNMENT
    return places


def _value(argument: Argument, parameter: Parameter, addresses: Iterator[int]) -> bytes:
    """The bytes of a parameter."""
    if isinstance(argument, Scalar):
        return _scalar(argument, parameter.size, parameter.ordinal)
    data, _ = _laid_out(argument, parameter.ordinal, addresses)
    if len(data) == parameter.size:
        return data
    if isinstance(argument, Pointer):
        raise InputError(
            f"argument {parameter.ordinal + 1}: the parameter has {parameter.size} bytes: it is not a pointer"
        )
    raise InputError(
        f"argument {parameter.ordinal + 1}: the parameter has {parameter.size} bytes, "
        f"the structure given has {len(data)}",
        hint="fields lie at multiples of their size; those without a type have 4 bytes",
    )


def _laid_out(argument: Argument, ordinal: int, addresses: Iterator[int]) -> tuple[bytes, int]:
    """Bytes of a field of a structure, and its alignment."""
    if isinstance(argument, Pointer):
        return struct.pack("<Q", next(addresses)), 8
    if isinstance(argument, Scalar):
        size = ELEMENT_BYTES.get(argument.kind, 4)
        return _scalar(argument, size, ordinal), size
    if isinstance(argument, TensorMap):
        raise InputError(f"argument {ordinal + 1}: a tensor map is an argument of its own")
    data, alignment = b"", 1
    for item in argument.fields:
        part, own = _laid_out(item, ordinal, addresses)
        data += bytes(-len(data) % own) + part
        alignment = max(alignment, own)
    return data + bytes(-len(data) % alignment), alignment


def _scalar(argument: Scalar, size: int, ordinal: int) -> bytes:
    kind = argument.kind
    if kind == "float":
        kind = {4: "f32", 8: "f64", 2: "f16"}.get(size, "")
    if kind and ELEMENT_BYTES.get(kind) != size:
        raise InputError(f"argument {ordinal + 1}: the parameter has {size} bytes, {kind} does not fit")
    if kind.startswith("f"):
        try:
            return struct.pack({"f16": "<e", "f32": "<f", "f64": "<d"}[kind], argument.value)
        except OverflowError:
            raise _too_large(argument, size, ordinal) from None
    if size not in (1, 2, 4, 8):
        raise InputError(
            f"argument {ordinal + 1}: the parameter has {size} bytes: it is a structure",
            hint="its fields are written in braces: {f32[1024], 4, f64:0.5}; 64*f32:1 are 64 of them",
        )
    number = int(argument.value)
    if not -(1 << 8 * size - 1) <= number < 1 << 8 * size:
        raise _too_large(argument, size, ordinal)
    return number.to_bytes(size, "little", signed=number < 0)


def _too_large(argument: Scalar, size: int, ordinal: int) -> InputError:
    return InputError(
        f"argument {ordinal + 1}: the parameter has {size} bytes: {argument.value:g} is beyond their numbers"
    )


def _add_array(launch: _core.FunctionalLaunch, address: int, pointer: Pointer) -> None:
    """Adds an array at an address to a launch of the core."""
    given, element = pointer.contents, pointer.element
    if given and given.kind == "file":
        launch.add_data(address, pointer.bytes, element.bytes, contents.file_bytes(pointer, given))
        return
    kind = getattr(_core.ArrayContents, given.kind) if given else _core.ArrayContents.unknown
    real = element.floating
    low, high = (given.low, given.high) if given else (0, 0)
    normal = given is not None and given.kind == "normal"
    launch.add_array(
        base=address,
        bytes=pointer.bytes,
        element=ELEMENT_BYTES.get(element.scalar, 1),
        type=getattr(_core.ArrayType, element.scalar) if real else _core.ArrayType.integer,
        contents=kind,
        low=0 if normal else int(low),
        high=0 if normal else int(high),
        mean=float(low),
        scale=float(high if normal else high - low),
    )
