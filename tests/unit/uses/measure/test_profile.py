"""`foretell profile`: whole programs, marked regions, limits, and programs that fail. Counts are checked by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell.core.facets.counts import Counts
from foretell.errors import InputError, ToolError
from foretell.uses.profiling.host_caches import Cache, simulable, this_machine
from foretell.uses.profiling.limited_run import Limits, run
from foretell.uses.profiling.profile import Request, include_folder, profile
from tests.support import cli

if TYPE_CHECKING:
    from foretell.core.facets.counts import CodeBlock
    from foretell.core.workload import Workload

needs_tools = pytest.mark.skipif(
    not all(map(shutil.which, ("gcc", "valgrind", "objdump")))
    or not Path("/usr/include/valgrind/callgrind.h").exists(),
    reason="needs gcc, valgrind with headers, and objdump",
)

N = 5000
KERNELS = """
#include "foretell.h"
double a[%(n)d], b[%(n)d];
volatile double sink;
__attribute__((noinline)) double dot(void) { double s = 0; for (int i = 0; i < %(n)d; ++i) s += a[i] * b[i]; return s; }
__attribute__((noinline)) long count(void) { long s = 0; for (int i = 0; i < %(n)d; ++i) s += i ^ 3; return s; }
int main(void) {
  for (int k = 0; k < 4; ++k) { FORETELL_BEGIN("dot"); sink = dot(); FORETELL_END; }
  FORETELL_BEGIN("count"); sink = count(); FORETELL_END;
  return 0;
}
"""


def built(folder: Path, source: str, *options: str) -> Path:
    (folder / "p.c").write_text(source)
    program = folder / "p"
    command = ["gcc", "-O1", f"-I{include_folder()}", *options, str(folder / "p.c"), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    return program


def blocks(workload: Workload) -> dict[str, CodeBlock]:
    return {block.name: block for block in workload.facet(Counts).blocks}


def script(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@needs_tools
def test_marked_regions_have_their_own_counts(tmp_path: Path) -> None:
    program = built(tmp_path, KERNELS % {"n": N})
    found = blocks(profile(Request((str(program),), "blue-gene-q", source="valgrind")))
    assert set(found) == {"outside", "dot", "count"}
    dot, count = found["dot"], found["count"]
    # an addition and a multiplication for each element; the entry and exit of a region take a few more
    assert dot.value("instFP") == pytest.approx(4 * 2 * N, abs=100)
    assert dot.value("loads") == pytest.approx(4 * 2 * N, rel=0.05)
    assert count.value("instFP") <= 20
    assert count.value("instructions") > 3 * N
    assert dot.events["instFP"].source == "simulated"
    assert dot.events["time_s"].source == "counter"
    assert 0 < dot.value("time_s") < 10
    assert all(not block.missing for block in found.values()), found


@needs_tools
def test_the_command_makes_a_profile_that_predicts(tmp_path: Path) -> None:
    program, target = built(tmp_path, KERNELS % {"n": N}), tmp_path / "p.json"
    result = cli.run("profile", "--measured-on", "blue-gene-q", "--with", "valgrind", "-o", target, "--", program)
    assert result.code == 0, result.err
    answer = cli.run("predict", target, "--on", "blue-gene-q", "--format", "json").json()
    measured = answer["details"]["baseline_time_s"]
    assert answer["time_s"] == pytest.approx(measured)
    assert any("simulated D1 cache" in note for note in answer["assumptions"])


@needs_tools
def test_fortran_marks(tmp_path: Path) -> None:
    if shutil.which("gfortran") is None:
        pytest.skip("needs gfortran")
    (tmp_path / "m.f90").write_text(
        'program m\nuse foretell\nreal(8) :: s\ninteger :: i\ns = 0\ncall foretell_begin("sum")\n'
        "do i = 1, 1000\ns = s + sqrt(real(i, 8))\nend do\ncall foretell_end()\nprint *, s\nend program\n"
    )
    folder = include_folder()
    command = ["gfortran", "-O1", f"-J{tmp_path}", str(folder / "foretell.f90"), str(folder / "foretell.c"), "m.f90"]
    subprocess.run([*command, "-o", "m"], check=True, cwd=tmp_path)
    found = blocks(profile(Request((str(tmp_path / "m"),), source="valgrind")))
    assert found["sum"].value("instFP") >= 2000


@needs_tools
def test_regions_that_nest_are_refused(tmp_path: Path) -> None:
    body = '#include "foretell.h"\nint main(void) { FORETELL_BEGIN("a"); FORETELL_BEGIN("b"); FORETELL_END; return 0; }'
    with pytest.raises(InputError, match="nested"):
        profile(Request((str(built(tmp_path, body)),)))
    loop = 'for (int k = 0; k < 3000; ++k) { FORETELL_BEGIN("a"); FORETELL_END; }'
    many = f'#include "foretell.h"\nint main(void) {{ {loop} return 0; }}'
    with pytest.raises(InputError, match="3000 times"):
        profile(Request((str(built(tmp_path, many)),)))


def test_perf_is_used_where_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A perf that has counters, played by a script: its numbers and no valgrind."""
    entry = '{"counter-value" : "%d", "unit" : "%s", "event" : "%s", "event-runtime" : 9, "pcnt-running" : 100.0}'
    events = (("duration_time", 2_000_000, "ns"), ("instructions", 900, ""), ("L1-dcache-loads", 300, ""))
    more = (("L1-dcache-stores", 100, ""), ("L1-dcache-load-misses", 10, ""), ("LLC-load-misses", 2, ""))
    lines = "\n".join(entry % (value, unit, name) for name, value, unit in (*events, *more))
    (tmp_path / "canned").write_text(lines + "\n")
    script(tmp_path, "perf", f'while [ "$1" != -o ]; do shift; done; cp {tmp_path}/canned "$2"')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    block = blocks(profile(Request(("true",))))["program"]
    assert block.value("time_s") == 0.002
    assert block.value("numAccess") == 400
    assert block.events["instructions"].source == "counter"


def test_a_perf_without_counters_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path, "perf", "echo no permission >&2; exit 255")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(ToolError, match="perf cannot count instructions here"):
        profile(Request(("true",), source="perf"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("exit 7", "failed with exit code 7"),
        ("echo out of paper; exit 1", "out of paper"),
        ("kill -SEGV $$", r"crashed \(SIGSEGV\)"),
    ],
)
def test_a_program_that_fails_is_one_clear_message(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=message):
        profile(Request((str(script(tmp_path, "app", body)),)))


@needs_tools
def test_scripts_are_not_profiled_as_their_shell(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a script"):
        profile(Request((str(script(tmp_path, "app", "true")),), source="valgrind"))


def test_limits(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"longer than 0.2 s"):
        run(("sleep", "30"), Limits(seconds=0.2))
    with pytest.raises(ToolError, match="wrote more than 1 MiB"):
        run(("yes",), Limits(seconds=20, output_bytes=1 << 20))
    hungry = (sys.executable, "-c", "x = bytearray(1 << 31)")
    with pytest.raises(ToolError, match=r"failed|crashed"):
        run(hungry, Limits(seconds=20, memory_bytes=1 << 29))
    busy = script(tmp_path, "child", "sleep 30 & wait")
    with pytest.raises(ToolError, match="longer"):
        run((str(busy),), Limits(seconds=0.2))


def test_what_cannot_be_profiled(tmp_path: Path) -> None:
    assert "no program to profile" in cli.refused("profile")
    assert "no such program" in cli.refused("profile", "--", "./absent")
    with pytest.raises(ToolError, match="cannot be run"):
        run((str(tmp_path),), Limits())
    assert cli.run("profile", "--include").out.strip() == str(include_folder())
    assert (include_folder() / "foretell.h").exists()


def test_a_parallel_program_must_say_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.uses.profiling import profile as module
    from foretell.uses.profiling.limited_run import Finished

    def fake(*_: Any) -> Finished:
        return Finished(0, 1.0, 3.9)

    monkeypatch.setattr(module, "run", fake)
    with pytest.raises(InputError, match=r"3\.9 processors busy"):
        profile(Request(("true",)))


def test_caches_of_this_machine_and_of_others(tmp_path: Path) -> None:
    for index, (kind, level, size, ways) in enumerate(
        (("Data", 1, "48K", 12), ("Instruction", 1, "32K", 8), ("Unified", 2, "2048K", 16), ("Unified", 3, "300M", 20))
    ):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, value in (("type", kind), ("level", level), ("size", size), ("ways_of_associativity", ways)):
            (folder / name).write_text(f"{value}\n")
        (folder / "coherency_line_size").write_text("64\n")
    caches = this_machine(tmp_path)
    assert (caches.data, caches.last) == (Cache(49152, 64, 12), Cache(300 << 20, 64, 20))
    assert caches.options() == ("--I1=32768,8,64", "--D1=49152,12,64", f"--LL={300 << 20},75,64")
    inner = caches.inner()
    assert inner is not None
    assert (inner.data, inner.last, inner.inner()) == (caches.data, Cache(2 << 20, 64, 16), None)
    with pytest.raises(ToolError, match="does not tell its caches"):
        this_machine(tmp_path / "absent")


@pytest.mark.parametrize("size", [32768, 49152, 1 << 20, 3 << 20, 33 << 20, 300 << 20, 105 << 20])
@pytest.mark.parametrize("ways", [0, 4, 11, 12, 16, 20])
def test_simulated_caches_keep_their_size(size: int, ways: int) -> None:
    found = simulable(Cache(size, 64, ways))
    sets = size // 64 // found.ways
    assert found.size == size
    assert sets * found.ways * 64 == size
    assert sets.bit_count() == 1


@needs_tools
def test_a_curve_of_misses(tmp_path: Path) -> None:
    """Smaller caches miss no less, and the curve goes through the misses of the profile itself. A block that touches
    no memory misses at most once (where the stack begins, the environment decides), and may have no curve."""
    program = built(tmp_path, KERNELS % {"n": N})
    workload = profile(Request((str(program),), source="valgrind", curve=True))
    blocks = {block.name: block for block in workload.facet(Counts).blocks}
    assert blocks.pop("count").events["missesL1"].value <= 1
    assert {"outside", "dot"} <= set(blocks)
    for block in blocks.values():
        sizes, misses = zip(*block.curve, strict=True)
        assert list(sizes) == sorted(set(sizes))
        assert list(misses) == sorted(misses, reverse=True)
        # runs differ by a miss at times (times that the program writes down are not the same)
        assert min(abs(block.events["missesL1"].value - one) for one in misses) <= 1
        between = ("hitsL2",) if this_machine().middle else ()
        served = sum(block.value(name) for name in ("hitsL1", *between, "hitsLLC", "missesLLC"))
        assert served == block.value("numAccess")  # no access is counted twice


@needs_tools
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="counts instructions of x86-64")
def test_divisions_and_roots_are_counted_apart(tmp_path: Path) -> None:
    """A root is one of the divisions, as both keep the divider busy, and known by itself."""
    source = tmp_path / "roots.c"
    source.write_text(
        '#include "foretell.h"\n#include <math.h>\nvolatile double x = 2, y;\n'
        'int main(void) { FORETELL_BEGIN("r");\n'
        "for (int i = 0; i < 1000; ++i) y = sqrt(x) / x;\n"
        "FORETELL_END; return 0; }\n"
    )
    program = tmp_path / "roots"
    command = ["gcc", "-O2", "-fno-math-errno", f"-I{include_folder()}", str(source), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    counts = profile(Request((str(program),), source="valgrind")).facet(Counts)
    (block,) = (block for block in counts.blocks if block.name == "r")
    assert block.value("instRoot") == pytest.approx(1000, abs=2)
    assert block.value("instDivide") == pytest.approx(2000, abs=4)


@needs_tools
def test_programs_that_a_program_starts_are_counted_with_it(tmp_path: Path) -> None:
    """A shell that starts the program twice: its counts alone would be those of nothing."""
    program = built(tmp_path, KERNELS % {"n": N})
    found = profile(Request(("sh", "-c", f"{program} && {program}"), source="valgrind"))
    dot = blocks(found)["dot"]
    assert dot.value("instFP") == pytest.approx(2 * 4 * 2 * N, rel=0.01)
    assert blocks(found)["outside"].value("instructions") > 0
    assert any("3 processes" in text for text in found.assumptions)
