"""Functions of C++: overloaded ones by their parameters, and default arguments."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.machine_code import MachineCode
from foretell.errors import InputError, ToolError
from foretell.frontends.native import functions, read_native
from foretell.frontends.native.default_arguments import with_defaults

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """#include <vector>
// void shifted(int a = 5);
void shifted(std::vector<double>& x, double by, int passes = 2) { /* = 3 */
    for (int pass = 0; pass < passes; ++pass) shifted(x, by);
}
double kick(double *x, long n, double g = 9.81, bool up = false, const char *name = nullptr);
void open(int n, int m = other());
void scaled(float *x, int n, float by = 2, unsigned times = 0x10u) {}
"""
TEXT = """\t.type _ZN1A5scaleEPdi, @function
_ZN1A5scaleEPdi:
\t.loc 1 12 3
\tret
\t.type _ZN1A5scaleEPKfm, @function
_ZN1A5scaleEPKfm:
\t.loc 1 30 3
\tret
"""
needs_filter = pytest.mark.skipif(shutil.which("c++filt") is None, reason="needs c++filt")


@pytest.mark.parametrize(
    ("function", "given", "added"),
    [
        ("shifted", ["vector<f64>[n]", "f64:1"], ["2"]),
        ("shifted(std::vector<double>&, double, int)", ["vector<f64>[n]", "f64:1"], ["2"]),
        ("shifted", ["vector<f64>[n]", "f64:1", "7"], []),
        ("kick", ["f64[n]", "n"], ["f64:9.81", "0", "NULL"]),
        ("kick", ["f64[n]", "n", "f64:1"], ["0", "NULL"]),
        ("kick", ["f64[n]"], []),
        ("open", ["n"], []),
        ("A::scaled<3>", ["f32[n]", "n"], ["f64:2", "16"]),
        ("missing", ["n"], []),
    ],
)
def test_arguments_that_are_left_out_have_their_defaults(function: str, given: list[str], added: list[str]) -> None:
    made, said = with_defaults(SOURCE, function, given)
    assert list(made) == given + added
    assert bool(said) == bool(added)


def test_declarations_that_differ_add_nothing() -> None:
    text = "void f(int n, int m = 1);\nvoid f(long n, int m = 2);\nvoid g(int n, int m = 1"
    assert with_defaults(text, "f", ["n"]) == (("n",), ())
    assert with_defaults(text, "g", ["n"]) == (("n",), ())


def test_a_source_is_read_with_its_defaults(tmp_path: Path) -> None:
    file = tmp_path / "f.cpp"
    file.write_text(SOURCE)
    code = read_native(file, "shifted", ["vector<f64>[n]", "f64:1"])
    assert len(code.facet(MachineCode).arguments) == 3
    assert "default arguments: passes = 2" in code.assumptions


@needs_filter
def test_overloaded_functions_are_chosen_by_their_parameters(tmp_path: Path) -> None:
    file = tmp_path / "a.s"
    for name, symbol in (
        ("A::scale(double*, int)", "_ZN1A5scaleEPdi"),
        ("A::scale(const float*, size_t)", "_ZN1A5scaleEPKfm"),
        ("scale(float const *, unsigned long)", "_ZN1A5scaleEPKfm"),
    ):
        assert functions.find_function(TEXT, name, file)[0] == symbol
    with pytest.raises(InputError, match="may be any of 2 functions") as error:
        functions.find_function(TEXT, "scale", file)
    assert "line 12: A::scale(double*, int); line 30: A::scale(float const*, unsigned long)" in str(error.value)


def test_without_a_filter_symbols_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ToolError("none")

    monkeypatch.setattr(functions.running, "run", refuse)
    with pytest.raises(InputError, match="may be any of 2 functions") as error:
        functions.find_function(TEXT, "scale", tmp_path / "a.s")
    assert "_ZN1A5scaleEPdi" in str(error.value)


@needs_filter
def test_what_containers_have_by_default_is_left_out() -> None:
    spelled = functions.demangled(["_Z7shiftedRSt6vectorIfSaIfEEf"])
    assert [functions._brief(full) for full in spelled.values()] == ["shifted(std::vector<float>&, float)"]
