"""Results that instructions of one text share."""

from __future__ import annotations

import pytest

from foretell.core.gpu import by_syntax
from foretell.core.gpu.by_syntax import BySyntax
from foretell.core.gpu.sass import Guard, Register, SassInstruction
from foretell.frontends.gpu.sass import decode

ENCODING = (0, 0)


def written(text: str, offset: int = 0, predicate: str = "") -> SassInstruction:
    opcode, _, operands = text.partition(" ")
    return decode.instruction(90, offset, predicate, opcode, operands, ENCODING)


def test_equal_texts_are_computed_once() -> None:
    asked: list[int] = []
    known = BySyntax(lambda item: asked.append(item.offset) or item.text)
    for offset in (0, 16, 32):
        assert known(written("FFMA R1,R2,R3,R4", offset)) == "FFMA R1,R2,R3,R4"
    assert asked == [0]


@pytest.mark.parametrize(
    "change",
    [
        {"opcode": "FADD"},
        {"modifiers": ("RZ",)},
        {"guard": Guard(Register("P", 0), False)},
        {"destinations": 0},
        {"defs": frozenset({Register("R", 9)})},
    ],
)
def test_instructions_that_differ_are_not_taken_for_each_other(change: dict[str, object]) -> None:
    known = BySyntax(lambda item: (item.opcode, item.modifiers, item.guard, item.destinations, item.defs))
    item = written("FFMA R1,R2,R3,R4")
    other = item._replace(**change)  # type: ignore[arg-type]
    assert other.operands is item.operands
    assert known(item) != known(other)


def test_a_full_memory_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_syntax, "_MOST", 2)
    asked: list[str] = []
    known = BySyntax(lambda item: asked.append(item.opcode))
    items = [written(f"{opcode} R1,R2,R3") for opcode in ("FADD", "FMUL", "IADD3")]
    for item in (*items, items[0]):
        known(item)
    assert asked == ["FADD", "FMUL", "IADD3", "FADD"]
