"""Decoded machine code against nvdisasm; listings."""

from __future__ import annotations

import contextlib
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.core.gpu import opcodes
from foretell.core.gpu.sass import Register, SassKernel
from foretell.errors import InputError
from foretell.frontends.gpu.sass import decode, listing, nvdisasm, operands
from tests.support.frontends.cubins import NAMES as CUBINS
from tests.support.frontends.cubins import built, decoded, kernel_of

# ------------------------------------------------------------------------------------------ decoding

SPACES = {"GPR": "R", "PRED": "P", "UGPR": "UR", "UPRED": "UP"}


def _columns(file: str) -> dict[str, dict[int, tuple[set[Register], set[Register]]]]:
    """nvdisasm's own table of live registers: ^ written, v read, x both."""
    command = [str(nvdisasm.find()), "-plr", "-lrm", "narrow", "-c", str(built(file))]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, dict[int, tuple[set[Register], set[Register]]]] = {}
    name, spaces, header = "", [""], [[""]]
    for line in output.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\S+?),", line):
            name = section[1]
            found[name] = {}
        if "// |" not in line:
            continue
        code, table = line.split("// |", 1)
        cells = table.rstrip().rstrip("|").split("|")
        place = re.match(r"\s*/\*([0-9a-f]{4,})\*/", code)
        if cells[0].strip() == "GPR":
            spaces, header = [cell.strip() for cell in cells], []
        elif place is None:
            if not any("#" in row[0] for row in header):
                header.append(cells)
        else:
            found[name][int(place[1], 16)] = _marks(cells, spaces, header)
    return found


def _marks(cells: list[str], spaces: list[str], header: list[list[str]]) -> tuple[set[Register], set[Register]]:
    defs, uses = set(), set()
    for cell, space, *rows in zip(cells, spaces, *header, strict=False):
        for at in range(rows[-1].find("#") + 2, len(cell)):
            if space in SPACES and cell[at] in "^vx":
                digits = "".join(row[at] for row in rows if at < len(row)).strip()
                register = Register(SPACES[space], int(digits))  # type: ignore[arg-type]
                if cell[at] in "^x":
                    defs.add(register)
                if cell[at] in "vx":
                    uses.add(register)
    return defs, uses


@pytest.mark.parametrize("file", CUBINS)
def test_registers_read_and_written_agree_with_nvdisasm(file: str) -> None:
    """But calls, for which it shows what the callee does, and R2P, for which it shows nothing; the predicates of
    P2R are shown for some architectures only."""
    truth = _columns(file)
    compared = 0
    for kernel in decoded(file):
        for item in kernel.instructions:
            if item.opcode in ("CALL", "R2P") or item.offset not in truth[kernel.name]:
                continue
            defs, uses = truth[kernel.name][item.offset]
            mine = {register for register in item.defs if register.space not in ("B", "SB")}
            read = {register for register in item.uses if register.space not in ("B", "SB")}
            if item.opcode == "P2R" and all(register.space != "P" for register in uses):
                read = {register for register in read if register.space != "P"}
            assert (mine, read) == (defs, uses), f"{kernel.name} {item.offset:#x} {item.text}"
            compared += 1
    assert compared > 200


def _targets(kernel: SassKernel) -> set[int]:
    return {o.value for i in kernel.instructions for o in i.operands if i.opcode in ("BRA", "BSSY", "CALL", "BRX")}


@pytest.mark.parametrize("file", CUBINS)
def test_control_bits_protect_every_variable_latency_result(file: str) -> None:
    """Whoever first touches a result that carries a dependence counter has waited for that counter."""
    checked = 0
    for kernel in decoded(file):
        targets = _targets(kernel)
        for position, producer in enumerate(kernel.instructions):
            barrier = producer.control.write_barrier
            results = {register for register in producer.defs if register.space in ("R", "P", "UR", "UP")}
            if barrier is None or not results:
                continue
            waited = False
            for later in kernel.instructions[position + 1 :]:
                if later.offset in targets or later.opcode in ("BRA", "EXIT", "CALL", "RET", "BRX", "BSYNC"):
                    break
                waited = waited or bool(later.control.wait_mask >> barrier & 1)
                if results & (later.defs | later.uses):
                    if later.guard and producer.guard and later.guard.negated != producer.guard.negated:
                        break  # the other half of a pair of complementary predicates
                    assert waited, f"{kernel.name} {producer.offset:#x} {producer.text} -> {later.text}"
                    checked += 1
                    break
    assert checked > 5


@pytest.mark.parametrize("file", CUBINS)
def test_reuse_bits_agree_with_the_syntax(file: str) -> None:
    for kernel in decoded(file):
        for item in kernel.instructions:
            written = sum("reuse" in operand.modifiers for operand in item.operands)
            if item.opcode not in opcodes.TEXTURES:  # of which the syntax does not show it
                assert item.control.reuse.bit_count() == written, item.text


def test_control_word_of_a_known_instruction() -> None:
    """LDG.E R8 of the notes: waits for nothing, sets counter 2, stalls one cycle."""
    control = decode.control(0x000EA2000C1E1900)
    assert (control.stall, control.write_barrier, control.read_barrier) == (1, 2, None)
    assert (control.wait_mask, control.reuse) == (0, 0)


@pytest.mark.parametrize("file", CUBINS)
def test_every_opcode_of_real_code_has_a_unit(file: str) -> None:
    unknown = {i.opcode for kernel in decoded(file) for i in kernel.instructions if not opcodes.known(i.opcode)}
    assert not unknown
    assert opcodes.unit("FROBNICATE") == opcodes.CONSERVATIVE


@pytest.mark.parametrize(
    ("text", "kind", "registers"),
    [
        ("R4", "register", ["R4"]),
        ("-R4.reuse", "register", ["R4"]),
        ("|R7|", "register", ["R7"]),
        ("!P2", "register", ["P2"]),
        ("RZ", "register", [None]),
        ("UPT", "register", [None]),
        ("0x10", "immediate", []),
        ("-0x4", "immediate", []),
        ("1.5", "float", []),
        ("-INF", "float", []),
        ("+QNAN", "float", []),
        ("c[0x0][0x210]", "constant", []),
        ("c[0x3][R4+0x10]", "constant", ["R4"]),
        ("[R2.64+-0x8]", "memory", ["R2"]),
        ("desc[UR4][R2.64+0x80]", "memory", ["R2"]),
        ("[R2+UR5+0x10]", "memory", ["R2", "UR5"]),
        ("SR_TID.X", "special", []),
        ("{3,2}", "other", []),
    ],
)
def test_operands(text: str, kind: str, registers: list[str | None]) -> None:
    operand = operands.parse(text)
    assert operand.kind == kind
    assert [str(r) if r else None for r in operand.registers] == registers


def test_values_of_operands() -> None:
    assert operands.parse("[R2.64+-0x8]").value == -8
    assert operands.parse("-0x4").value == -4
    assert operands.parse("-020").value == -20
    assert operands.parse("c[003][0x010]").bank == 3
    assert operands.parse("c[0x3][R4+0x10]").bank == 3
    assert operands.parse("desc[UR4][R2.64+0x80]").descriptor == Register("UR", 4)
    assert operands.split("R0[R3+0x4],R5") == ("R0", "[R3+0x4]", "R5")
    assert operands.split("[R7][R2.64]") == ("[R7]", "[R2.64]")
    assert operands.split("SB0,0x0,{3,2}") == ("SB0", "0x0", "{3,2}")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [  # nvdisasm 12.8 and 13.4 of the same code: sm_80, then sm_90
        ("[R11][R2.64]", "[R11][R2.64]"),
        ("P1[R11+0x80][R8.64]", "[R11+0x80][R8.64],P1"),
        ("desc[UR6][R2.64][R11]", "[R11],desc[UR6][R2.64]"),
        ("desc[UR6][R8.64],!P1[R11+0x80]", "[R11+0x80],desc[UR6][R8.64],!P1"),
    ],
)
def test_a_copy_to_shared_memory_reads_the_same_from_every_disassembler(earlier: str, later: str) -> None:
    first = decode.instruction(90, 0, "@P0", "LDGSTS.E.128", earlier, (0, 0))
    assert first == decode.instruction(90, 0, "@P0", "LDGSTS.E.128", later, (0, 0))
    assert first.operands[0].text.startswith("[R11")
    assert first.operands[1].wide_address


# ------------------------------------------------------------------------------------------ listings


@pytest.mark.parametrize("file", CUBINS)
def test_listings_round_trip(file: str) -> None:
    for kernel in decoded(file):
        assert listing.read(listing.write(kernel)) == kernel


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("foretell sass 1", "sass", "is not a listing"),
        ("arch 90", "arch 35", "sm_35"),
        ("arch 90", "", "is not understood"),
        ("kernel vecadd", "note x", "needs one line 'kernel'"),
        ("\ncode\n", "\n", "is not understood"),
        ("registers 12", "registers twelve", "is not a number"),
        ("0010 S2R", "0020 S2R", "expected 0010"),
        ("; 0000000000007919", "; 79", "not an instruction"),
        ("parameter 0 8", "parameter 0", "write: parameter"),
    ],
)
def test_damaged_listings_are_named(old: str, new: str, message: str) -> None:
    text = listing.write(kernel_of("simple_sm90.cubin", "vecadd"))
    assert old in text
    with pytest.raises(InputError, match=message):
        listing.read(text.replace(old, new, 1))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_text_is_a_listing_or_an_input_error(data: st.DataObject) -> None:
    lines = listing.write(kernel_of("simple_sm90.cubin", "vecadd")).splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(st.one_of(st.text(max_size=30), st.just(lines[at][:-3]), st.just(lines[at - 1])))
    with contextlib.suppress(InputError):
        listing.read("\n".join(lines))
