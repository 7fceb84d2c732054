"""Wrong C is normal input: every error names its place, marks its function, and loses no loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError, MissingExtraError
from foretell.frontends.analysis import analyse
from foretell.frontends.c.parse import clang
from foretell.frontends.source import ir
from tests.support.frontends.c import function, loops_accounted, lower, parse_c, statements

if TYPE_CHECKING:
    from pathlib import Path


def opaques(unit: ir.Unit, name: str = "f") -> list[tuple[int, int]]:
    return [(s.line, s.loops) for s in statements(function(unit, name).body) if isinstance(s, ir.Opaque)]


def test_a_missing_header_is_named_once_and_marks_only_what_needs_it(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        '#include "real.h"\nreal *a;\nvoid f(int n) {\n  for (int i = 0; i < n; i++) a[i] = 0;\n}\n'
        "void g(double *b, int n) {\n  for (int i = 0; i < n; i++) b[IDX(i)] = 0;\n}\n"
        "void h(double *b, int n) {\n  for (int i = 0; i < n; i++) b[i] = 0;\n}\n",
    )
    missing = [d for d in unit.diagnostics if "real.h" in d.message]
    assert [(d.line, d.severity) for d in missing] == [(1, "error")]
    assert "-I" in missing[0].message
    assert function(unit, "f").errors == ()  # it uses a variable, not the type that was made up
    assert [(d.line, d.severity) for d in function(unit, "g").errors] == [(7, "warning")]
    assert "'IDX'" in function(unit, "g").errors[0].message
    assert function(unit, "h").errors == ()
    assert loops_accounted(unit) == unit.loops_seen == 3


def test_loops_that_clang_drops_are_counted_where_they_stand(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "void f(int n) {\n  for (int i = 0; i < n; i++) q->x[i] = 2;\n"
        "  for (int i = 0; i < n; i++) ;\n  while (n > zz.y) n--;\n}\n",
    )
    assert opaques(unit) == [(2, 1), (4, 1)]
    assert [(d.line, d.message) for d in function(unit).errors] == [
        (2, "use of undeclared identifier 'q'"),
        (4, "use of undeclared identifier 'zz'"),
    ]
    assert unit.loops_seen == 3


def test_names_that_nobody_declares_are_taken_as_their_use_suggests(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "void f(real *a, Index n) {\n  for (Index i = 0; i < LIMIT; i++) table[i][2] += MAX(a[i], 1) * SQR(a[i]);\n}\n"
        "void g(double *b) { b[0] = 1; }\n",
    )
    assert opaques(unit) == []
    assert [(d.severity, d.message) for d in function(unit, "f").errors] == [
        ("warning", "the unknown type 'real' is assumed to be double"),
        ("warning", "the unknown type 'Index' is assumed to be int"),
        ("warning", "the undeclared identifier 'LIMIT' is assumed to be int"),
        ("warning", "the undeclared identifier 'table' is assumed to be an array of double"),
        ("warning", "the undeclared 'MAX' is assumed to be max"),
        ("warning", "the undeclared 'SQR' is assumed to be sqr"),
    ]
    assert function(unit, "g").errors == ()


def test_headers_of_the_project_are_found(tmp_path: Path) -> None:
    for folder in ("src", "include/lib", "parts"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "include/lib/types.h").write_text("typedef float real;\n")
    (tmp_path / "parts/more.h").write_text('#include "lib/types.h"\n#define N 5\n')
    (tmp_path / "src/a.c").write_text(
        '#include <installed/more.h>\n#include "../no.h"\nvoid f(real *a) { for (int i = 0; i < N; i++) a[i] = 0; }\n'
    )
    unit = parse_c([tmp_path / "src/a.c"])[0]
    assert function(unit).errors == ()
    assert function(unit).parameters[0].type == ir.Pointer(ir.FLOAT)
    notes = [d.message for d in unit.diagnostics if d.severity == "note"]
    assert len(notes) == 2
    assert "'installed/more.h' was found in" in notes[0]
    assert "'lib/types.h' was found in" in notes[1]


def test_words_of_missing_headers_in_declarations_say_nothing(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        '#include "gone.h"\nAPI_EXPORT void f(int n, double *MY_RESTRICT a, const double *b)\n'
        "{ double *OTHER c = a; for (int i = 0; i < n; i++) c[i] = 2 * b[i]; }\n",
    )
    errors = function(unit, "f").errors
    assert {d.severity for d in errors} == {"warning"}
    assert [d.message.split("'")[1] for d in errors] == ["API_EXPORT", "MY_RESTRICT", "OTHER"]


HOST = """
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
#define OP(x) (2.0 * x[i] + x[i - 1])
static int twice(int n) { return 2 * n; }
#ifdef USE_A
#include "ops/a.c"
#elif defined(USE_B) // the other
#include "ops/b.c"
#endif
void own(int n, real *x) { for (int i = 0; i < n; i++) x[i] = 0; }
"""
PART = "void {0}(int n, real *x, real *y) {{ for (int i = 1; i < twice(n); i++) y[i] = OP(x); }}\n"


def written_host(folder: Path) -> list[Path]:
    (folder / "ops").mkdir()
    (folder / "host.c").write_text(HOST)
    for name in "ab":
        (folder / f"ops/{name}.c").write_text(PART.format(name))
    return [folder / "host.c", folder / "ops/a.c", folder / "ops/b.c"]


def test_files_that_another_includes_are_read_with_it(tmp_path: Path) -> None:
    host, part, other = parse_c(written_host(tmp_path), defines={"USE_A": "1"})
    assert [f.name for f in host.functions] == ["twice", "a", "own"]
    assert host.loops_seen == 2
    assert part.functions == ()
    assert "read as a part of" in part.diagnostics[0].message
    assert other.part  # its host does not include it with these macros, and makes sense of it with others
    assert [f.name for f in other.described] == ["b"]
    assert [d.severity for d in other.described[0].errors] == ["warning"]


def test_a_part_alone_is_read_through_its_host(tmp_path: Path) -> None:
    *_, b = written_host(tmp_path)
    (unit,) = parse_c([b])
    assert [f.name for f in unit.described] == ["b"]
    assert unit.loops_seen == 1
    assert "twice" in [f.name for f in unit.functions]
    (said,) = unit.described[0].errors
    assert said.message == "is read as a part of host.c, which includes it, with USE_B defined"
    loops = analyse(ir.Program((unit,)))
    assert [(nest.function, nest.status, str(nest.trips)) for nest in loops.nests] == [("b", "assumed", "2*n - 1")]
    assert loops.loops_seen == loops.loops_kept == 1


def test_a_part_without_a_host_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "lone.c").write_text(PART.format("lone"))
    (tmp_path / "self.c").write_text('#ifndef K\n#define K\n#include "self.c"\n#endif\nint unknown[K];\n')
    lone, self = parse_c([tmp_path / "lone.c", tmp_path / "self.c"])
    assert not lone.part
    assert not self.part


def test_a_missing_brace_swallows_a_function_but_not_its_loop(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "void f(int n, double *a) {\n  for (int i = 0; i < n; i++) { a[i] = 2;\n}\n"
        "void g(int n, double *a) {\n  do a[n] = 2; while (n--);\n}\n",
    )
    assert function(unit).errors
    assert loops_accounted(unit) == unit.loops_seen == 2


def test_loops_outside_of_every_function(tmp_path: Path) -> None:
    unit = lower(tmp_path, "%%% nonsense (int n) {\n}\nfor (int i = 0; i < n; i++) a[i] = 2;\n")
    (only,) = unit.functions
    assert only.name == "(line 3)"
    assert only.errors[0].line == 3
    assert opaques(unit, only.name) == [(3, 1)]


def test_loops_in_comments_strings_macros_and_skipped_code_are_not_seen(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "#define EACH for (int k = 0; k < n; k++)\n#define ONCE(x) do { x; } while (0)\n"
        "#if 0\nvoid g() { for (;;) ; }\n#endif\n"
        'void f(int n, double *a) {\n  /* for (;;) */ // while (1)\n  const char *s = "for (;;)";\n'
        "#ifdef NEVER\n  while (1) ;\n#endif\n  ONCE(a[0] = 1);\n  do { a[1] = 2; } while (0);\n  EACH a[k] = 0;\n}\n",
    )
    assert unit.loops_seen == loops_accounted(unit) == 1


def test_what_cannot_be_lowered_is_opaque_with_its_loops(tmp_path: Path) -> None:
    unit = lower(tmp_path, 'void f(int n) {\n  asm volatile("nop");\n  void *p = &&l;\n  goto *p;\n  l: n++;\n}\n')
    reasons = [s.reason for s in statements(function(unit).body) if isinstance(s, ir.Opaque)]
    assert reasons[0] == "inline assembly is not modelled"
    assert reasons[-1] == "a computed goto is not modelled"


def test_cases_inside_of_a_loop_are_named(tmp_path: Path) -> None:
    """A loop that a switch jumps into."""
    body = "  switch (n % 2) {\n  case 0: do { *a++ = 0;\n  case 1: *a++ = 0; } while ((n -= 2) > 0);\n  }\n"
    unit = lower(tmp_path, f"void f(int n, char *a) {{\n{body}}}\n")
    (opaque,) = (s for s in statements(function(unit).body) if isinstance(s, ir.Opaque))
    assert (opaque.line, opaque.reason) == (4, "a case inside of another statement of its switch is not modelled")


def test_an_undeclared_function_is_a_warning(tmp_path: Path) -> None:
    unit = lower(tmp_path, "int f(int n) { return help(n); }")
    assert [(d.severity, d.message) for d in unit.diagnostics] == [
        ("warning", "call to undeclared function 'help', assumed to return int")
    ]


@pytest.mark.parametrize(
    "source",
    [
        "#include <vector>\nint f(std::vector<int> &v) { return v.size(); }",
        "template <class T> T f(T x) { return x; }",
        "namespace a { int f() { return 1; } }",
        "class grid { public: int n; };",
    ],
)
def test_cpp_in_a_c_file_is_refused_with_the_way_out(source: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"looks like C\+\+") as caught:
        lower(tmp_path, source)
    assert "--trace" in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("name", ["a.cpp", "a.cc", "a.cxx", "a.hpp", "a.C", "a.cu"])
def test_cpp_files_are_refused_by_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is C\+\+") as caught:
        lower(tmp_path, "int x;", name)
    assert "--trace" in str(caught.value)


def test_a_c_header_for_both_languages_is_c(tmp_path: Path) -> None:
    source = '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(int n);\n#ifdef __cplusplus\n}\n#endif\n'
    assert lower(tmp_path, source + "int f(int n) { return n; }").diagnostics == ()


def test_unusable_files(tmp_path: Path) -> None:
    def refuse(path: Path, message: str) -> None:
        with pytest.raises(InputError, match=message):
            parse_c([path])

    refuse(tmp_path / "no.c", "no such file")
    refuse(tmp_path, "is a directory")
    for content, message in (
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"\x7fELF\0\0", "binary"),
        (b" " * (17 << 20), "larger than 16 MiB"),
    ):
        path = tmp_path / "bad.c"
        path.write_bytes(content)
        refuse(path, message)


def test_bytes_that_are_not_utf8_are_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "latin.c"
    path.write_bytes(b"/* \xe9t\xe9 */\nvoid f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = '\xe9'; }\n")
    (unit,) = parse_c([path])
    assert unit.loops_seen == 1


@pytest.mark.parametrize(
    "source",
    [
        "int f(int x) { return " + "!" * 300_000 + "x; }",
        "int f(int x) { return " + "+".join(["x"] * 150_000) + "; }",
        "int f(int x) { " + "if (x) x--; else " * 60_000 + "; return x; }",
        "#define D(x) x x\n#define E " + "D(" * 23 + "x++;" + ")" * 23 + "\nint f(int x) { E }",
        "#define D(x) x x\nint f(int x) { " + "D(" * 23 + "x++;" + ")" * 23 + " }",
        "\n".join(f"#define A{i} A{i - 1} A{i - 1}" for i in range(1, 30)) + "\n#define A0 x++;\nint f(int x) { A29 }",
    ],
)
def test_inputs_that_would_take_for_ever_are_refused(source: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"too long to be parsed|expands to more than"):
        lower(tmp_path, source)


@pytest.mark.parametrize(
    "source",
    [
        "double f(double *a) { return " + " + ".join(f"a[{i}]" for i in range(4000)) + "; }",
        "int f(int x) { return " + "- " * 3000 + "x; }",
        "int f(int x) { return " + "".join(f"x == {i} ? {i} : " for i in range(1000)) + "0; }",
        "int f(int x) { if (x) return 1;"
        + "".join(f" else if (x == {i}) return {i};" for i in range(1000))
        + " return 0; }",
        "int f(int x) { return " + "(" * 5000 + "x" + ")" * 5000 + "; }",
        "int f(int x) { " + "for (int i = 0; i < x; i++) " * 300 + "x += 2; return x; }",
        "int " + "*" * 3000 + "p; int f(void) { return p != 0; }",
        "struct s0 { int x; };"
        + "".join(f"struct s{i} {{ struct s{i - 1} a, b; }};" for i in range(1, 30))
        + "int f(struct s29 *p) { return 1; }",
        "int f(int x) { switch (x) {" + "".join(f"case {i}: x += {i};" for i in range(300)) + "} return x; }",
    ],
    ids=["sum", "minus", "ternaries", "else-if", "parentheses", "loops", "stars", "structures", "fall-through"],
)
def test_deep_programs_are_lowered_or_given_up_in_parts(source: str, tmp_path: Path) -> None:
    from tests.support.frontends.ir_text import unit_text

    unit = lower(tmp_path, source)
    assert [f.name for f in unit.functions] == ["f"]
    assert loops_accounted(unit) >= unit.loops_seen
    assert unit_text(unit)


def test_many_errors_are_cut_off_with_a_count(tmp_path: Path) -> None:
    unit = lower(tmp_path, "void f(void) {\n" + "x.y;\n" * 200 + "}\n")
    errors = function(unit).errors
    assert len(errors) == 51
    assert errors[-1].message == "150 more messages like these"


def test_without_libclang_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clang.library.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    try:
        with pytest.raises(MissingExtraError, match=r"foretell\[loops\]"):
            lower(tmp_path, "int f(void) { return 0; }")
    finally:
        clang.library.cache_clear()


def test_a_library_that_is_no_libclang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang, "library", lambda: str(tmp_path / "libclang.so"))
    with pytest.raises(InputError, match="cannot load libclang"):
        lower(tmp_path, "int f(void) { return 0; }")


def test_a_file_with_too_many_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang, "MAX_NODES", 10)
    with pytest.raises(InputError, match="too large"):
        lower(tmp_path, "int f(int x) { return x + x + x + x + x + x; }")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("__atomic_fetch_add(&n, 1, 0);", "an atomic or vector operation of the compiler is not modelled"),
        ("n = _Generic(n, int: 1, double: 2);", "a _Generic whose choice is not clear"),
        ("AGAIN(n = 0) n++;", "a loop whose head clang could not make sense of"),
        ("switch (n) { for (;;) ; case 1: n++; }", "statements before the first case of a switch"),
    ],
)
def test_what_is_not_clear_is_not_guessed(statement: str, reason: str, tmp_path: Path) -> None:
    unit = lower(tmp_path, f"#define AGAIN(init) for (init;;)\nvoid f(int n) {{\n  {statement}\n}}\n")
    (opaque,) = function(unit).body
    assert isinstance(opaque, ir.Opaque)
    assert (opaque.reason, opaque.line) == (reason, 3)
    assert opaque.loops == unit.loops_seen


def test_cpp_in_skipped_parts_does_not_make_a_file_cpp(tmp_path: Path) -> None:
    text = (
        "#ifdef __CUDACC__\n#include <vector>\ntemplate <int N> struct S {};\n#endif\n"
        "void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }\n"
        "int g(void) { return NOT_DECLARED; }\n"
    )
    assert loops_accounted(lower(tmp_path, text)) == 1
    with pytest.raises(InputError, match="looks like C"):
        lower(tmp_path, text.replace("#ifdef", "#ifndef"))
