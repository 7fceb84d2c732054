"""OpenMP regions of compiled code: their outlined bodies are followed where the function starts them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from foretell.api import predict, prepare
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.assembly.openmp import without_runtime
from foretell.errors import InputError, UnsupportedError
from foretell.frontends import read_options
from foretell.frontends.native import objects
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu import compiled_code
from foretell.models.cpu.compiled_code import NotFollowedError
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs

#: gcc 12.2 -O2 -fopenmp of regions.c, without alignment
_FOLDER = Path(__file__).parents[4] / "data/asm/whole_call/openmp"
_MACHINES = {"aarch64": "neoverse-n1", "x86-64": "cascade-lake"}
_ARRAYS = [number << 34 for number in (1, 2, 3)]


def _followed(isa: str, function: str, *sizes: int) -> Followed:
    machine = load(_MACHINES[isa])
    text = without_runtime((_FOLDER / f"{isa}.s").read_text(), isa)
    functions = read_listing(text, isa, root=function)
    return follow_call(functions, function, machine, Costs(machine), [*sizes, *_ARRAYS])


#: instructions of a call at two sizes, of a team of one thread, by callgrind 3.19: it counts the linking of the
#: runtime's functions at their calls as well, so differences between sizes are compared
@pytest.mark.parametrize(
    ("function", "sizes", "more"), [("triad", ((1000,), (7,)), 7069 - 118), ("coll", ((30, 20), (3, 5)), 6729 - 240)]
)
def test_bodies_execute_what_callgrind_counts(
    function: str, sizes: tuple[tuple[int, ...], tuple[int, ...]], more: int
) -> None:
    large, small = (_followed("aarch64", function, *each) for each in sizes)
    assert not large.result.failure
    assert not large.guessed
    assert sum(large.counts) - sum(small.counts) == more


@pytest.mark.parametrize("function", ["triad", "dotp", "coll"])
def test_both_instruction_sets_do_all_iterations(function: str) -> None:
    sizes = (24, 40) if function == "coll" else (960,)
    for isa in _MACHINES:
        followed = _followed(isa, function, *sizes)
        assert not followed.guessed
        loads = sum(
            count for (name, one), count in zip(followed.rows, followed.counts, strict=True)
            if "_omp_fn" in name and one.loads and one.moved == 8 and count >= 20
        )  # fmt: skip
        assert 959 <= loads <= 2 * 960 + 2  # the first iteration may be apart


def test_text_without_a_runtime_stays() -> None:
    text = "f:\n\tcall\tg\n\tret\n"
    assert without_runtime(text, "x86-64") is text
    assert without_runtime("\tcall\tGOMP_parallel\n", "riscv") == "\tcall\tGOMP_parallel\n"


def test_calls_of_both_runtimes_are_replaced() -> None:
    text = (
        "k:\n\tleaq\tk.omp_outlined(%rip), %rdx\n\tcallq\t__kmpc_fork_call@PLT\n\tcallq\t__kmpc_for_static_fini@PLT\n"
        "\tcallq\tGOMP_loop_runtime_start\n\tcallq\tGOMP_loop_runtime_next\n\tjmp\tomp_get_thread_num\n\tcall\tother"
    )
    lines = without_runtime(text, "x86-64").splitlines()
    assert "\tcall\tk.omp_outlined" in lines
    assert lines[lines.index("\tcall\tk.omp_outlined") - 1] == "\taddq\t$8, %rsp"
    assert "\tmovq\t%rdi, (%rcx)" in lines
    assert "\tmovl\t$1, %eax" in lines
    assert lines[-3:] == ["\tmovl\t$0, %eax", "\tret", "\tcall\tother"]
    assert not any("kmpc" in line or "GOMP" in line for line in lines)
    swap = without_runtime("\tbl\tomp_get_num_threads\n\tbl\t__aarch64_cas8_relax", "aarch64")
    assert swap.splitlines() == ["\tmov\tw0, 1", "\tcas\tx0, x1, [x2]"]


def test_bodies_of_objects_are_those_of_the_function() -> None:
    """Objects take the address of a body without its name: the regions of a function are numbered."""
    text = (
        "k:\n\tlea\t.LC(%rip), %rdi\n\tcall\tGOMP_parallel\n\tcall\tGOMP_parallel\n\tcall\tGOMP_parallel\n\tret\n"
        "k._omp_fn.0:\n\tret\nk._omp_fn.1:\n\tret\n"
    )
    lines = without_runtime(text, "x86-64").splitlines()
    called = ["k._omp_fn.0", "k._omp_fn.1", "GOMP_parallel"]
    assert [line for line in lines if "call" in line] == [f"\tcall\t{name}" for name in called]
    listing = (
        "0000000000000000 <k>:\nk():\n/a.c:3\n   0:\tstp\tx29, x30, [sp, #-16]!\n   4:\tadrp\tx0, 0 <k._omp_fn.0>\n"
        "\t\t\t4: R_AARCH64_ADR_PREL_PG_HI21\t.text+0x20\n   8:\tadd\tx0, x0, #0x0\n   c:\tbl\t0 <GOMP_parallel>\n"
        "\t\t\tc: R_AARCH64_CALL26\tGOMP_parallel\n  10:\tldr\td0, [x0], #8\n"
        "  14:\tb.ne\t8 <k+0x8>  // b.any\n  18:\tret\n"
        "0000000000000020 <k._omp_fn.0>:\n  20:\tret\n"
    )
    written = "".join(objects._written(objects._parsed(listing.splitlines()), "k"))
    assert "[sp, #-16]!" in written
    assert "\tldr\td0, [x0], #8\n" in written
    assert "\tb.ne\t.L8\n" in written
    assert "k._omp_fn.0:\n\tret" in written


def test_a_region_without_a_body_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "k.s"
    file.write_text("\t.type k, @function\nk:\n\tleaq\t8(%rsp), %rdi\n\tcall\tGOMP_parallel\n\tret\n")
    with pytest.raises(UnsupportedError, match="the body of its parallel region is not found"):
        predict(read(f"{file}:k", read_options()), "cascade-lake")


_PACKED = """
void rows(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            %s
}
"""


@pytest.mark.parametrize(
    ("statement", "ends_known"),
    [
        ("for (int k = 0; k < n; k++) b[i][j] += a[j][k];", True),
        ("for (int k = 0; k < n && a[j][k] > 0; k++) b[i][j] += a[j][k];", False),
    ],
)
def test_what_is_lost_on_the_way_into_a_region_is_no_data(
    statement: str, ends_known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the source counts all loops, an end that is not known is a value that was lost in packing the region's
    data: to go on by a rule of data executed millions of instructions, for nothing."""
    asked: list[tuple[bool, bool]] = []

    def followed(*_: object, by_rule: bool, ends_known: bool, **__: object) -> Followed:
        asked.append((by_rule, ends_known))
        raise NotFollowedError("enough")

    monkeypatch.setattr(compiled_code, "follow_call", followed)
    file = tmp_path / "rows.c"
    file.write_text(_PACKED % statement)
    assembly = tmp_path / "rows.s"
    assembly.write_text((_FOLDER / "x86-64.s").read_text().replace("triad", "rows"))
    sizes = {"n": 61, "threads": 1}
    with suppress(InputError):  # this code is another one
        prepare(read(file), "cascade-lake", parameters=sizes, options={"asm": str(assembly)}).predict()
    assert set(asked) == {(not ends_known, ends_known)}
