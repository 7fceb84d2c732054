"""Functions of one file share what is read and compiled of it; each outcome is the one that it has alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.assembly.identity import function_identity
from foretell.codegen.compiled import unit
from foretell.codegen.compiled.connected import connected_part
from foretell.codegen.compiled.installed import named_compiler
from foretell.frontends import analysis
from foretell.frontends.source import readings
from foretell.uses.check.items import Item
from foretell.uses.check.predicting import Task, outcomes

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ALWAYS = "static inline __attribute__((always_inline, unused))"
HEADER = f"""\
{ALWAYS} double part(int n, const double *a, double f)
{{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += f * a[i];
    return s;
}}
{ALWAYS} void scale(int n, double *a)
{{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}}
static double once(int n, const double *a)
{{
    double m = 0;
    for (int i = 0; i < n; i++)
        m += a[i] > 1 ? a[i] : 0;
    return m;
}}
"""
SOURCE = """\
#include <stddef.h>
#include "parts.h"
double all(int n, double *a) { scale(n, a); return part(n, a, 2) + once(n, a); }
double half(int n, double *a) { return a == NULL ? 0 : part(n, a, 0.5); }
void apart(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1 / x[i];
}
"""
NAMES = ("part", "scale", "once", "all", "half", "apart")


def written(folder: Path, header: str = HEADER) -> Path:
    folder.mkdir()
    (folder / "parts.h").write_text(header)
    (folder / "all.c").write_text(SOURCE)
    return folder


def outcome(root: Path, name: str) -> dict[str, object]:
    item = Item(name, ("all.c",), name, {"sizes": {"n": 1000}}, chosen=True)
    return outcomes(Task(str(root), item, (("zen4", "zen4"),), ("",)))[0]


def test_outcomes_are_those_without_sharing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = written(tmp_path / "a")
    walks: list[object] = []
    walked = analysis._walked
    monkeypatch.setattr(analysis, "_walked", lambda *given: walks.append(given) or walked(*given))
    together = {name: outcome(root, name) for name in NAMES}
    assert len(walks) == 2  # of what is connected, and of the one apart
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    for keeping in (unit._compiled, unit._preprocessed, unit._assembled, unit._always_inlined):
        keeping.cache_clear()
    monkeypatch.setattr(readings, "once", lambda _, make: make())
    monkeypatch.setattr(analysis, "once", lambda _, make: make())
    monkeypatch.setattr(unit, "_kept_together", lambda function, *_: (function,))
    alone = {name: outcome(root, name) for name in NAMES}
    assert len(walks) >= 2 + len(NAMES)
    assert together == alone
    assert all("error" not in one for one in alone.values()), alone


def test_a_header_that_changes_is_read_anew(tmp_path: Path) -> None:
    root = written(tmp_path / "a")
    before = outcome(root, "part")
    (root / "parts.h").write_text(HEADER.replace("f * a[i]", "f / a[i]"))
    assert outcome(root, "part")["time_s"] > before["time_s"]


def test_functions_that_are_always_inlined_are_kept_together_with_the_code_that_they_have_alone(tmp_path: Path) -> None:
    file = written(tmp_path / "a") / "all.c"
    compiler, flags = named_compiler("gcc"), ("-O2",)
    assert unit._kept_together("part", file, compiler, flags, unit._stamp(file)) == ("part", "scale")
    assert unit._kept_together("once", file, compiler, flags, unit._stamp(file)) == ("once",)
    together = unit.compile_unit(file, compiler, flags, (), "part").text
    for name in ("part", "scale"):
        alone, _ = unit._made(file, compiler, compiler.driver(False), flags, (name,))
        assert function_identity(together, name) == function_identity(alone, name)


def test_what_a_macro_of_a_system_header_makes_belongs_to_the_function() -> None:
    text = """\
# 1 "a.c"
int first(int *a) {
  return a ==
# 3 "a.c" 3 4
 ((void *)0)
# 3 "a.c"
  ; }
int second(int a) { return a; }
"""
    part = connected_part(text, ["second"])
    assert part is not None
    assert "int first(int *a) ;" in part
    assert "int second(int a) { return a; }" in part
    foreign = text.replace('"a.c" 3 4', '"/usr/include/b.h" 3 4')
    assert connected_part(foreign, ["second"]) is None
