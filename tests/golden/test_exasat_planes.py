"""The plane counts of the ExaSAT report, from source code through the C front end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.footprints.planes import Planes, cycle_planes, planes
from foretell.core.nest.loopnest import LoopNest, Loops
from foretell.frontends import read
from foretell.machines import load
from tests.support.cli import run

if TYPE_CHECKING:
    from foretell.core.workload import Workload

CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "exasat.json").read_text())["cases"]}

SEVEN_POINT = """
void sweep(int n, const double u[n+2][n+2][n+2], double un[n+2][n+2][n+2]) {
  for (int k = 1; k <= n; k++)
    for (int j = 1; j <= n; j++)
      for (int i = 1; i <= n; i++)
        un[k][j][i] = (u[k][j][i-1] + u[k][j][i+1] + u[k][j-1][i] + u[k][j+1][i] + u[k-1][j][i] + u[k+1][j][i]) / 6.0;
}
"""
# The operator of Figs. 7 and 8: Helmholtz with the boundary condition fused in (EX-3).
OPERATOR = """
#define B(v, w) valid[w] * (x[v] + x[w])
#define APPLY(x) (a * alpha[ijk] * x[ijk] - b * h2inv * ( \\
    beta_i[ijk + 1]  * (valid[ijk + 1]  * (x[ijk] + x[ijk + 1])  - 2.0 * x[ijk]) \\
  + beta_i[ijk]      * (valid[ijk - 1]  * (x[ijk] + x[ijk - 1])  - 2.0 * x[ijk]) \\
  + beta_j[ijk + js] * (valid[ijk + js] * (x[ijk] + x[ijk + js]) - 2.0 * x[ijk]) \\
  + beta_j[ijk]      * (valid[ijk - js] * (x[ijk] + x[ijk - js]) - 2.0 * x[ijk]) \\
  + beta_k[ijk + ks] * (valid[ijk + ks] * (x[ijk] + x[ijk + ks]) - 2.0 * x[ijk]) \\
  + beta_k[ijk]      * (valid[ijk - ks] * (x[ijk] + x[ijk - ks]) - 2.0 * x[ijk])))
#define ARRAYS const double *alpha, const double *beta_i, const double *beta_j, const double *beta_k, \\
    const double *valid, const double *rhs
void residual(int n, int js, int ks, double a, double b, double h2inv, ARRAYS, const double *x, double *res) {
  for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) {
    int ijk = i + j * js + k * ks;
    res[ijk] = rhs[ijk] - APPLY(x);
  }
}
void smooth(int n, int js, int ks, int s, double a, double b, double h2inv, ARRAYS, double *phi) {
  for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) for (int i = (j ^ k ^ s) & 1; i < n; i += 2) {
    int ijk = i + j * js + k * ks;
    double diagonal = a * alpha[ijk] - b * h2inv * (
        beta_i[ijk + 1] * (valid[ijk + 1] - 2.0) + beta_i[ijk] * (valid[ijk - 1] - 2.0)
      + beta_j[ijk + js] * (valid[ijk + js] - 2.0) + beta_j[ijk] * (valid[ijk - js] - 2.0)
      + beta_k[ijk + ks] * (valid[ijk + ks] - 2.0) + beta_k[ijk] * (valid[ijk - ks] - 2.0));
    phi[ijk] = phi[ijk] + (1.0 / diagonal) * (rhs[ijk] - APPLY(phi));
  }
}
"""


def program(text: str, tmp_path: Path) -> Workload:
    path = tmp_path / "kernel.c"
    path.write_text(text)
    return read(path)


def nest(text: str, function: str, tmp_path: Path) -> LoopNest:
    return next(n for n in program(text, tmp_path).facet(Loops).nests if n.function == function)


@pytest.fixture
def seven(tmp_path: Path) -> LoopNest:
    return nest(SEVEN_POINT, "sweep", tmp_path)


def expected(name: str) -> dict[str, Any]:
    result: dict[str, Any] = CASES[name]["expected"]
    return result


def test_seven_point_planes(seven: LoopNest) -> None:
    found = planes(seven)
    wanted = expected("exasat_7pt_planes")
    for case, reads, working_set in (
        ("streaming", found.reads(write_allocate=False), found.working_set(write_allocate=False)),
        ("cached", found.reads_in(4), found.working_set()),
        ("partial", found.reads_in(3), None),
        ("uncached", found.reads_in(0), None),
    ):
        assert (reads, found.writes, reads + found.writes) == (
            wanted[case]["reads"],
            wanted[case]["writes"],
            wanted[case]["total"],
        )
        assert wanted[case].get("working_set") in (working_set, None)
    assert wanted["L3"] == {"reads": 0, "writes": found.writes, "total": found.writes}


def test_sizes(seven: LoopNest) -> None:
    case = CASES["exasat_N96_bytes"]
    shape = footprints(seven, {"n": float(case["inputs"]["N"])}, 8.0)
    inside = sum(96 * array.bytes[1] / offsets for array, offsets in zip(shape.arrays, (3, 1), strict=True))
    assert inside == pytest.approx(case["expected"]["bytes"], rel=0.05)  # ours counts the halo that is read
    assert case["expected"]["bytes"] == 2 * 96**3 * 8
    case = CASES["exasat_N512_working_set"]
    assert planes(seven).working_set() == case["inputs"]["planes"]
    assert case["expected"]["bytes"] == 4 * 512 * 512 * 8


def test_regimes_of_hopper(tmp_path: Path) -> None:
    case = CASES["exasat_7pt_regimes_hopper"]
    machine = load("cray-xe6").with_values(
        {"memory.bandwidth": 1e9, "level.L3.size": case["inputs"]["L3_per_domain_MiB"] * 2**20}
    )
    workload = program(SEVEN_POINT, tmp_path)
    found = []
    for n in case["inputs"]["N"]:
        prediction = foretell.predict(workload, machine, parameters={"n": n}, mode="paper")
        note = next(text for text in prediction.assumptions if "planes read" in text)
        found.append([int(word) for word in note.split(": ")[1].split() if word.isdigit()])
    assert [reads for reads, _ in found] == case["expected"]["reads"]
    assert [writes for _, writes in found] == case["expected"]["writes"]


def test_regimes_in_one_sweep(tmp_path: Path) -> None:
    """The same regimes with sizes as an array: time per plane is proportional to the planes moved."""
    case = CASES["exasat_7pt_regimes_hopper"]
    machine = load("cray-xe6").with_values({"memory.bandwidth": 1e9, "level.L3.size": 6 * 2.0**20})
    prepared = foretell.prepare(program(SEVEN_POINT, tmp_path).with_parameters({"n": 1}), machine, mode="paper")
    sizes = np.array(case["inputs"]["N"], dtype=float)
    times = foretell.sweep(prepared, {"n": sizes})
    moved = np.array(case["expected"]["reads"]) + np.array(case["expected"]["writes"])
    assert times * 1e9 / (8 * sizes**3) == pytest.approx(moved, rel=0.05)


def test_intensity(seven: LoopNest) -> None:
    case = CASES["exasat_7pt_intensity"]
    found = planes(seven)
    flops = case["inputs"]["flops_per_point"]
    assert sum(count for kind, count in seven.operations().items() if kind in ("add", "div_const")) == flops
    totals = {"cached": 3, "partial": 4, "uncached": 5, "L3": 1, "streaming": 2}
    assert totals["cached"] == found.reads() + found.writes
    for name, total in totals.items():
        assert flops / (total * case["inputs"]["elem_B"]) == pytest.approx(case["expected"][name])


def spans(found: Planes) -> dict[str, int]:
    return {array.name: array.span for array in found.arrays}


def test_red_black_planes(tmp_path: Path) -> None:
    found = planes(nest(OPERATOR, "smooth", tmp_path))
    assert (found.reads(), found.writes) == tuple(expected("exasat_rb_planes").values())
    wanted = dict(expected("exasat_rb_working_set"))
    assert found.working_set() == wanted.pop("total")  # the report's text adds up to 11 (EX-2)
    assert spans(found) == wanted


def test_residual_planes(tmp_path: Path) -> None:
    found = planes(nest(OPERATOR, "residual", tmp_path))
    wanted = expected("exasat_residual_planes")
    assert (found.reads(), found.writes, found.reads() + found.writes) == tuple(wanted.values())
    wanted = dict(expected("exasat_residual_working_set"))
    assert found.working_set() == wanted.pop("total")  # the report's text adds up to 14 (EX-2)
    assert spans(found) == wanted


def test_v_cycle(tmp_path: Path) -> None:
    smooth = planes(nest(OPERATOR, "smooth", tmp_path))
    residual = planes(nest(OPERATOR, "residual", tmp_path))
    reads = 8 * smooth.reads() + 2 * residual.reads()
    writes = 8 * smooth.writes + 2 * residual.writes
    assert {
        "reads": reads,
        "writes": writes,
        "reads_3_levels": cycle_planes(reads, 3),
        "writes_3_levels": cycle_planes(writes, 3),
    } == expected("exasat_vcycle_corrected")
    # The report adds the residual's write to its reads (EX-1): 74 instead of 72.
    printed = 8 * smooth.reads() + 2 * (residual.reads() + residual.writes)
    wanted = expected("exasat_vcycle_printed")
    assert (printed, cycle_planes(printed, 3)) == (wanted["reads"], wanted["reads_3_levels"])


CYCLE = """
void level(int m, double a, double b, double h2inv, ARRAYS, double *phi, double *res) {
  for (int s = 0; s < 8; s++)
    smooth(m, m + 2, (m + 2) * (m + 2), s, a, b, h2inv, alpha, beta_i, beta_j, beta_k, valid, rhs, phi);
  for (int r = 0; r < 2; r++)
    residual(m, m + 2, (m + 2) * (m + 2), a, b, h2inv, alpha, beta_i, beta_j, beta_k, valid, rhs, phi, res);
}
"""
BY_LOOP = """
void cycle(int n, double a, double b, double h2inv, ARRAYS, double *phi, double *res) {
  for (int m = n; m >= n / 4; m /= 2) level(m, a, b, h2inv, alpha, beta_i, beta_j, beta_k, valid, rhs, phi, res);
}
"""
BY_SHIFT = """
void cycle(int n, double a, double b, double h2inv, ARRAYS, double *phi, double *res) {
  for (int l = 0; l < 3; l++) level(n >> l, a, b, h2inv, alpha, beta_i, beta_j, beta_k, valid, rhs, phi, res);
}
"""
BY_RECURSION = """
void cycle(int n, double a, double b, double h2inv, ARRAYS, double *phi, double *res) {
  if (n < 48) return;
  level(n, a, b, h2inv, alpha, beta_i, beta_j, beta_k, valid, rhs, phi, res);
  cycle(n / 2, a, b, h2inv, alpha, beta_i, beta_j, beta_k, valid, rhs, phi, res);
}
"""


PRINTED = ((), "exasat_vcycle_printed", 9)
CORRECTED = (("cycle_reads=reads",), "exasat_vcycle_corrected", 8)


@pytest.mark.parametrize(
    ("driver", "decision", "golden", "residual"),
    [(BY_LOOP, *PRINTED), (BY_LOOP, *CORRECTED), (BY_SHIFT, *CORRECTED), (BY_RECURSION, *PRINTED)],
    ids=["loop-printed", "loop-corrected", "shift-corrected", "recursion-printed"],
)
def test_a_v_cycle_from_the_command_line(
    driver: str, decision: tuple[str, ...], golden: str, residual: int, tmp_path: Path
) -> None:
    """Three levels, however the source goes down them: 84.40625 planes read as printed, 82.125 corrected (EX-1), and
    11.40625 written."""
    path = tmp_path / "cycle.c"
    path.write_text(OPERATOR + CYCLE + driver)
    options = [word for choice in ("caches=cold", *decision) for word in ("--option", choice)]
    words = ["predict", str(path), "--on", "cray-xe6", "-D", "n=192", "--mode", "paper", *options]
    result = run(*words, "--set", "memory.bandwidth=50 GB/s", "--format", "json")
    assert result.code == 0, result.err
    answer = result.json()
    writes = expected("exasat_vcycle_corrected")["writes_3_levels"]
    moved = (expected(golden)["reads_3_levels"] + writes) * 8 * 192**3
    # The planes of the coarser levels have a halo, which the report leaves out.
    assert answer["details"]["bytes_from_B"]["memory"] == pytest.approx(moved, rel=0.005)
    assert any("7 planes read and 1 written" in note for note in answer["assumptions"])
    assert any(f"{residual} planes read and 1 written" in note for note in answer["assumptions"])


def test_a_sweep_alone_is_read_as_printed(tmp_path: Path) -> None:
    """The slip of EX-1 is one of the sum over a cycle: the residual by itself reads 8 planes in both modes."""
    path = tmp_path / "residual.c"
    path.write_text(OPERATOR)
    sizes = ["-D", "n=192", "-D", "js=194", "-D", "ks=37636"]
    words = ["predict", str(path), "--kernel", "residual", "--on", "cray-xe6", *sizes, "--mode", "paper"]
    result = run(*words, "--option", "caches=cold", "--set", "memory.bandwidth=50 GB/s", "--format", "json")
    assert result.code == 0, result.err
    assert any("8 planes read and 1 written" in note for note in result.json()["assumptions"])


def test_residual_counts(tmp_path: Path) -> None:
    found = nest(OPERATOR, "residual", tmp_path)
    operations = found.operations()
    centre = sum(
        access.reads
        for array in found.arrays
        if array.name == "x"
        for access in array.accesses
        if all(one.offset == 0 for one in access.subscripts)
    )
    assert {"adds": operations["add"], "mults": operations["mul"], "centre_reads_x": centre} == expected(
        "exasat_residual_flops"
    )
