"""The functions of a C++ source are listed where none is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError
from foretell.frontends.native import read_native
from foretell.frontends.native.cxx_functions import defined_functions

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = r"""
#include <vector>
#define LOOP(n) for (int i = 0; i < n; i++) {
/* void gone() { for (;;); } */
namespace num::detail {
static void scale(int n, double f, double *x) { for (int i = 0; i < n; i++) x[i] *= f; }
}
namespace { int hidden(int n) { while (n > 3) n /= 2; return n; } }
template <class T, int N = (2)> void fill(int n, T *a, T value) {
    for (int i = 0; i < n; i++) a[i] = value;
}
struct Grid : Base {
    int n = 3;
    std::vector<int> sizes{1, 2, 3};
    double sum() const noexcept {
        auto each = [&](int i) { return i; };
        double s = 0;
        for (int i = 0; i < n; i++) s += each(i);
        return s;
    }
};
double Grid::mean() { return sum() / n; }
enum class Kind { one, two };
static const char *text = "void quoted() { for (;;); }";
extern "C" { void plain(int n) { do n--; while (n); } }
int table[] = {1, 2};
auto made = [](int n) { for (;;) n++; };
int main() { return R"(void raw() { for (;;); })"[0]; }
"""


def test_definitions_with_their_scopes_lines_and_loops() -> None:
    found = [(one.name, one.line, one.template, one.loops) for one in defined_functions(SOURCE)]
    assert found == [
        ("num::detail::scale", 6, False, True),
        ("hidden", 8, False, True),
        ("fill", 9, True, True),
        ("Grid::sum", 15, False, True),
        ("Grid::mean", 22, False, False),
        ("plain", 25, False, True),
        ("main", 28, False, False),
    ]


@pytest.mark.parametrize("text", ["", "{", "void f() {", "}}}", "template <class T", 'x = "', "f(){}{", "(" * 99 + "{"])
def test_what_is_no_source_has_no_more_functions_than_it_shows(text: str) -> None:
    assert [one.name for one in defined_functions(text)] == [name for name in ("f",) if "f()" in text]


def test_a_question_without_a_function_names_those_with_loops(tmp_path: Path) -> None:
    path = tmp_path / "app.cpp"
    path.write_text(SOURCE)
    with pytest.raises(InputError, match="needs a function") as error:
        read_native(path, None, ())
    assert "functions: num::detail::scale (line 6), hidden (line 8), fill<…> (line 9)" in str(error.value.hint)
    assert "mean" not in str(error.value.hint)
    path.write_text("int one() { return 1; }\n")
    with pytest.raises(InputError) as error:
        read_native(path, None, ())
    assert "functions: one (line 1)" in str(error.value.hint)
