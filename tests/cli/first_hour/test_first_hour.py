"""The first hour of a new user: a question, the command, and what must be on the screen.

Every task is a command as he would type it; `shows` are parts of what stdout must have, `says` of stderr. A task that
must fail has the exit code, and no traceback.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from foretell.records import record
from tests.cli.first_hour.files import FILES
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

ON = "--on neoverse-n1"
LAUNCH = "--grid 4096 --block 256 --arg 1048576 --arg f32:2.0 --arg 'f32[1048576]' --arg 'f32[1048576]'"


@record
class Task:
    question: str
    command: str
    shows: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    code: int = 0
    hides: tuple[str, ...] = ()


TASKS = (
    # ---- where the time goes
    Task("how long does my matmul take?", f"predict kernels.c:matmul {ON} -D n=200",
         ("matmul on neoverse-n1:", "bound by", "cycles/iteration", "Gflop/s", "instructions per cycle")),
    Task("the loop in line 17?", f"predict kernels.c:17 {ON} -D n=200", ("matmul:17 on neoverse-n1:",)),
    Task("a line inside a loop?", f"predict kernels.c:18 {ON} -D n=200", ("matmul:17 on neoverse-n1:",)),
    Task("how far from the peak?", f"predict kernels.c:jacobi {ON} -D n=2000 -D iters=10",
         ("from memory", "flop per byte from memory", "of the machine's")),
    Task("all functions of a file?", f"predict kernels.c {ON} -D n=100 -D iters=2 -D rows=100 -D rowptr_step=5 "
         "-D p.count=1000", ("kernels (4 functions) on", "matmul", "spmv", "move", "every function without a caller")),
    Task("which line?", f"why kernels.c:jacobi {ON} -D n=500 -D iters=2 --lines",
         ("kernels.c by line", "b[i][j] = 0.25", "for (int j = 1;")),
    Task("which instructions, which ports?", f"why kernels.c:matmul {ON} -D n=64 --assembly",
         ("fmadd", "cycles of a pass on each port", "bounds of a pass in cycles")),
    Task("in a script?", f"predict kernels.c:matmul {ON} -D n=64 --format json",
         ('"function": "matmul"', '"rates"', '"cycles_per_iteration"')),
    Task("lines for a spreadsheet?", f"why kernels.c:matmul {ON} -D n=64 --lines --format csv", ("file,line,text",)),
    # ---- sizes the user already gave
    Task("my program, as it is", f"predict solver.c {ON}",
         ("solver on neoverse-n1:", "n = 1024, as in a run without arguments", "steps = 50", "dot", "axpy"),
         hides=("argc",)),
    Task("with another size", f"predict solver.c {ON} -D n=2048", ("n=2048", "102400")),
    Task("with other steps", f"predict solver.c {ON} -D steps=10 --format csv", ("solver",)),
    Task("sizes of allocated components", f"predict fluid.f90 {ON}", ("fluid on neoverse-n1:", "smooth"),
         hides=("value@",)),
    Task("a macro and a folder of headers", f"predict macro.c {ON} --cflags '-DN=512 -Iinclude'",
         ("fill on neoverse-n1:", "32768")),
    Task("a macro by -D", f"predict macro.c {ON} --cflags -Iinclude -D N=256", ("fill on neoverse-n1:", "16384")),
    Task("what is missing?", f"predict kernels.c {ON}", code=3,
         says=("parameters without a value", "rowptr_step is the mean", "FILE:FUNCTION: jacobi")),
    # ---- FILE:FUNCTION everywhere
    Task("what is in it?", "describe kernels.c:spmv", ("spmv  kernels.c", "rows"), hides=("matmul",)),
    Task("Fortran has no case", f"predict fluid.f90:SMOOTH {ON} -D s.nx=100 -D s.ny=100", ("smooth on neoverse-n1:",)),
    Task("which machine?", "rank kernels.c:matmul -D n=100 --on neoverse-n1 --on zen4", ("matmul", "zen4", "1.00x")),
    Task("how to split?", f"split kernels.c:matmul {ON} --on zen4 -D n=100", ("matmul", "split by predicted cost")),
    Task("which size?", f"tune kernels.c:matmul {ON} -D n=64 --axis n=32,64", ("n=32",)),
    Task("a function in a design space", "explore space.toml --no-progress", ("kernels",)),
    Task("two files of a program", f"predict omp.c solver.c {ON}", ("omp, solver on neoverse-n1:", "dot")),
    Task("a mistyped function", f"predict kernels.c:matmull {ON}", code=3, says=("did you mean 'matmul'?",)),
    Task("from a pipe", f"predict - {ON} -D n=1000", ("triad on neoverse-n1:",)),
    # ---- the whole machine
    Task("all cores", f"predict omp.c {ON} -D n=1e6 --threads all", ("threads=2",)),
    Task("all cores of each machine", "rank omp.c -D n=1e7 --on neoverse-n1 --on zen4 --threads all", ("96", "zen4")),
    Task("serial code on two threads?", f"predict kernels.c:matmul {ON} -D n=64 --threads 2", code=3,
         says=("runs on one thread", "parallel=outermost")),
    Task("as if it were parallel", f"predict kernels.c:matmul {ON} -D n=64 --threads 2 --option parallel=outermost",
         ("threads=2",)),
    Task("threads twice", f"predict omp.c {ON} -D n=10 --threads 2 -D threads=1", code=2, says=("give one of them",)),
    Task("this computer", "predict omp.c --on here -D n=10", code=3, says=("foretell machines probe --here",)),
    Task("no machine", "predict omp.c -D n=10", code=2, says=("--on here is this computer",)),
    Task("my defaults", "config", ("machine = (not set)", "cflags")),
    Task("a machine at a glance", "machines show zen4", ("cores", "memory", "--full shows each")),
    Task("every number", "machines show zen4 --full", ("reference", "cores.count")),
    Task("what can I try?", "examples", ("example:stencil7.c",)),
    # ---- what goes wrong
    Task("half an iteration", f"predict omp.c {ON} -D n=1.5", code=3, says=("a whole number",)),
    Task("a size twice", f"predict omp.c {ON} -D n=1 -D n=2", code=2, says=("given twice",)),
    Task("a branch where there is none", f"predict kernels.c:move {ON} -D p.count=10 --branch 99=0.5", code=3,
         says=("no condition on data in this line", "34")),
    Task("a flag that nobody knows", f"predict kernels.c:matmul {ON} -D n=64 --cc none --cflags '-O3 -bogus'",
         ("flags without effect here: -bogus",)),
    Task("a file that is no C at all", f"predict torn.c {ON}", code=3, says=("torn.c:1: expected",)),
    Task("a function without loops", f"predict flat.c {ON}", code=3, says=("has a loop", "FILE.o:FUNCTION")),
    Task("a range that is none", f"predict omp.c {ON} -D n=1:9:*2", code=3, says=("a range is FIRST:LAST:STEP",)),
    Task("which functions are in assembly?", f"predict two.s {ON}", code=3, says=("functions: first, second",)),
    Task("devices of another kind", f"split kernels.c:matmul {ON} --on h200 -D n=100", code=3,
         says=("only neoverse-n1 can be predicted", "h200", "is a gpu")),
    Task("a split is a small table", f"split kernels.c:matmul {ON} --on zen4 -D n=100", ("its time", "alone"),
         hides=("of it transfer", "measured", "items")),
    Task("clauses of directives", "describe target.c", ("[omp target teams distribute parallel for reduction(",)),
    Task("an accelerator that is not there", f"predict target.c {ON} -D n=1000 --threads 2",
         ("step, line 4: the `target` region is run by the host",)),
    Task("machines of another kind", "rank example:vector-add",
         ("sw26010", "lacks what model sunway needs: cores.groups,", "and more")),
    Task("where is my picture?", f"predict omp.c {ON} -D n=100,1000 --plot out.png", says=("wrote out.png",)),
    Task("where are my points?", "explore space.toml --no-progress --points out.csv", says=("wrote out.csv",)),
    Task("where is my variant?", f"tune kernels.c:matmul {ON} -D n=64 --axis n=32,64 --emit out.c", code=3,
         says=("there is nothing to rewrite",)),
    Task("a size of compiled code by name", f"predict app.cpp:main {ON} -D n=10", code=3,
         says=("in their order: --arg",)),
    Task("a timeline nowhere, said before the run", "run --on h200 --timeline nowhere/t.json -- true", code=3,
         says=("nowhere/t.json: the folder does not exist",)),
    Task("a CUDA program on a CPU", "run --on zen4 -- true", code=3, says=("not an NVIDIA GPU",)),
    Task("a validation that does not exist", "validate nosuch", code=3, says=("tuning, advice, differences",)),
    Task("which validations, for a script?", "validate --format json", ('{"validations": ["cpu"',)),
    Task("a broken file", f"predict broken.c {ON} -D n=10", code=3, says=("broken.c:2: expected '}'",)),
    Task("no name", f"predict '' {ON}", code=3, says=("CODE is empty",)),
    Task("LLVM IR", f"predict k.ll {ON}", code=3, says=("--trace",)),
    Task("assembly", f"predict k.s {ON}", code=3, says=("--asm k.s",)),
    Task("PTX that is broken", "predict k.ptx --on h200 --grid 1 --block 32", code=3, says=("nvcc",)),
    Task("HIP", f"predict k.hip {ON}", code=3, says=("not modelled",)),
    Task("OpenCL", f"predict k.cl {ON}", code=3, says=("CUDA",)),
    Task("Python", f"predict k.py {ON}", code=3, says=("foretell profile",)),
    Task("Rust", f"predict k.rs {ON}", code=3, says=("foretell profile",)),
    Task("an unknown suffix", f"predict notes.xyz {ON}", code=3, says=("foretell reads C and Fortran",)),
    Task("no suffix", f"predict README {ON}", code=3, says=("files without a suffix",)),
    Task("an empty cubin", "predict empty.cubin --on h200", code=3, says=("is empty",)),
    Task("no cubin", "predict junk.cubin --on h200", code=3, says=("is no GPU code",)),
    Task("options of GPUs on C", f"predict omp.c {ON} -D n=10 --trip 3=10", code=2,
         says=("--trip: only for GPU code", "-D trips_L7=100")),
    Task("a mistyped command", "predic omp.c", code=2, says=("did you mean 'predict'?",)),
    Task("help", "help", ("Commands:", "predict")),
    Task("help of a command", "help rank", ("Which machine is fastest",)),
    Task("an unwritable probe", "machines probe -o nowhere/here.toml", code=3, says=("folder does not exist",)),
)  # fmt: skip

GPU_TASKS = (
    Task("my CUDA kernel", f"predict axpy.cu --kernel axpy {LAUNCH} --on h200",
         ("axpy on h200:", "occupancy", "L1 hit rate", "TB/s")),
    Task("which line of it?", f"why axpy.cu:axpy {LAUNCH} --on h200 --lines", ("axpy.cu by line", "y[i] = a * x[i]")),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES["omp.c"].encode())))
    return tmp_path


def _done(task: Task) -> None:
    result = run(*shlex.split(task.command))
    assert result.code == task.code, result.err
    assert "Traceback" not in result.err
    assert "internal error" not in result.err
    for part in task.shows:
        assert part in result.out, result.out
    for part in task.says:
        assert part in result.err, result.err
    for part in task.hides:
        assert part not in result.out + result.err, result.out + result.err


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.question)
def test_first_hour(task: Task, folder: Path) -> None:
    _done(task)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
@pytest.mark.parametrize("task", GPU_TASKS, ids=lambda task: task.question)
def test_first_hour_with_a_gpu(task: Task, folder: Path) -> None:
    _done(task)


def test_flags_that_the_compiler_refuses_are_no_reason_to_do_without_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORETELL_CC")
    _done(Task("?", f"predict kernels.c:matmul {ON} -D n=64 --cflags '-O3 -bogus'", (), ("kernels.c", "-bogus"), 3))


def test_defaults_are_kept(folder: Path) -> None:
    assert run("config", "machine", "neoverse-n1").code == 0
    assert run("config", "threads", "all").code == 0
    assert "threads=2" in run("predict", "omp.c", "-D", "n=1e6").out
    assert run("config", "machine").out == "neoverse-n1\n"
    assert run("config", "machine", "--unset").code == 0
    assert run("predict", "omp.c", "-D", "n=1e6").code == 2
    assert "did you mean 'machine'?" in run("config", "machin", "zen4").err
    assert "no machine" in run("config", "machine", "nosuch").err


def test_this_computer_is_a_machine_once_it_is_measured(folder: Path) -> None:
    here = folder / "config" / "foretell" / "here.toml"
    here.parent.mkdir(parents=True)
    here.write_text('base = "neoverse-n1"\nname = "mine"\n')
    shown = run("predict", "omp.c", "--on", "here", "-D", "n=1e6")
    assert "triad on " in shown.out, shown.err
