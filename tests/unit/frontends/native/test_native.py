"""Objects, executables and assembly as inputs: functions by symbol, clone, address or C++ name; wrong ones."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from foretell.core.facets.machine_code import MachineCode
from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.frontends import read_options
from foretell.frontends.native import is_native, objects
from foretell.frontends.native.arguments import parse_arguments
from foretell.frontends.native.functions import chosen, is_mangled
from foretell.frontends.read import read

#: what objdump -d -r -l writes for an object: triad calls helper, and the code of scale is inlined
_LISTING = """
k.o:     file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <helper>:
helper():
/src/k.c:2
   0:	endbr64
   4:	lea    0x0(%rip),%rax        # b <helper+0xb>
			7: R_X86_64_PC32	.rodata-0x4
   b:	and    $0xfffffffffffffff8,%rdi
   f:	ret
0000000000000010 <triad>:
triad():
/src/k.c:5 (discriminator 1)
  10:	test   %edi,%edi
  12:	jle    30 <triad+0x20>
  14:	call   19 <triad+0x9>
			15: R_X86_64_PLT32	helper-0x4
scale():
/src/k.c:6
  19:	addsd  (%rdx),%xmm0
  1d:	mov    0x2ee4(%rip),%rcx        # 4040 <table>
  24:	dec    %edi
  26:	jne    19 <triad+0x9>
  28:	call   40 <sqrt@plt>
  2d:	nopl   0x0(%rax)
  30:	ret
0000000000000040 <old.constprop.0>:
  40:	ret
"""


def _elf(file: Path, machine: int = 62) -> Path:
    file.write_bytes(b"\x7fELF\x02\x01" + bytes(12) + machine.to_bytes(2, "little") + bytes(60))
    return file


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An objdump that writes a recorded listing."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "listing").write_text(_LISTING)
    script = tmp_path / "bin" / "objdump"
    script.write_text(f"#!/bin/sh\n/bin/cat {tmp_path / 'listing'}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return script


def _code(file: Path, name: str) -> MachineCode:
    return read(f"{file}:{name}", read_options()).facet(MachineCode)


def test_a_function_is_written_with_what_it_calls(tool: Path, tmp_path: Path) -> None:
    code = _code(_elf(tmp_path / "k.o"), "triad")
    assert (code.isa, code.function) == ("x86-64", "triad")
    lines = [line.strip() for line in code.text.splitlines()]
    assert sorted(line for line in lines if line in ("triad:", "helper:")) == ["helper:", "triad:"]
    assert "call   helper" in lines
    assert "call   sqrt" in lines
    assert "jne    .L19" in lines
    assert "jle    .L30" in lines
    assert "and    $-8,%rdi" in lines
    assert "lea    .LC(%rip),%rax" in lines
    assert "mov    table(%rip),%rcx" in lines
    assert '.file 1 "/src/k.c"' in lines
    assert ".loc 1 5" in lines


def test_a_clone_is_found_and_said(tool: Path, tmp_path: Path) -> None:
    workload = read(f"{_elf(tmp_path / 'k.o')}:old", read_options())
    assert workload.facet(MachineCode).function == "old.constprop.0"
    assert any("constants are gone" in text for text in workload.assumptions)
    assert any("no line information" in text for text in workload.assumptions)


def test_an_inlined_function_is_said_to_be_elsewhere(tool: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scale has no code of its own: it was inlined into triad"):
        _code(_elf(tmp_path / "k.o"), "scale")
    with pytest.raises(InputError, match="no function 'nothing'"):
        _code(_elf(tmp_path / "k.o"), "nothing")


def test_code_of_a_stripped_file_is_found_by_address(tool: Path, tmp_path: Path) -> None:
    (tmp_path / "listing").write_text(_LISTING.replace("<triad>:", "<.text>:"))
    code = _code(_elf(tmp_path / "a.out"), "0x10")
    assert code.function == "at_10"
    assert "at_10:" in code.text
    assert "jne    .L19" in code.text
    with pytest.raises(InputError, match="no instruction at 0x11"):
        _code(tmp_path / "a.out", "0x11")


def test_files_without_code_or_tool_are_refused(tool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _elf(tmp_path / "k.o")
    (tmp_path / "listing").write_text("objdump: can't disassemble\n")
    with pytest.raises(UnsupportedError, match="none of objdump decodes x86-64"):
        _code(file, "triad")
    tool.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    monkeypatch.setattr(objects, "_SECONDS", 0.2)
    with pytest.raises(ToolError, match="took longer than"):
        _code(file, "triad")
    tool.unlink()
    with pytest.raises(ToolError, match="install binutils"):
        _code(file, "triad")


def test_what_is_native(tmp_path: Path) -> None:
    assert is_native(Path("k.s"))
    assert is_native(Path("k.cpp"))
    assert not is_native(Path("k.c"))
    assert not is_native(_elf(tmp_path / "gpu", machine=190))
    assert is_native(_elf(tmp_path / "arm", machine=183))
    assert not is_native(tmp_path / "absent.o")


def test_a_function_must_be_named(tmp_path: Path) -> None:
    file = tmp_path / "k.s"
    file.write_text("f:\n\tret\n")
    with pytest.raises(InputError, match="needs a function"):
        read(file)
    assert read(f"{file}:f").facet(MachineCode).function == "f"


def test_a_function_of_a_source_must_be_named_for_a_call(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text("int one(int n) { return n; }\nvoid two(int n, int *x)\n{\n  while (n--) x[n] = 0;\n}\n")
    with pytest.raises(InputError, match="needs a function") as refused:
        read(path, read_options(args=("3",)))
    assert "two (line 3)" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("text", "kind", "size"),
    [
        ("1000", "integer", 8),
        ("n*n", "integer", 8),
        ("NULL", "integer", 8),
        ("f32[n]", "array", 4),
        ("vector<f64>[2*n]", "vector", 8),
        ("f64:1.5", "float", 8),
        ("2.5", "float", 8),
    ],
)
def test_arguments(text: str, kind: str, size: int) -> None:
    (argument,) = parse_arguments([text])
    assert (argument.kind, argument.size) == (kind, size)


def test_numbers_of_elements_may_have_prefixes_as_those_of_kernels() -> None:
    values = [argument.value for argument in parse_arguments(["64K", "f64[2M]", "i32[1G+1]@step(4K)", "M*2"])]
    assert [value.evaluate({"M": 5}) for value in values] == [1 << 16, 2 << 20, (1 << 30) + 1, 10]


@pytest.mark.parametrize("text", ["f16[n]", "x[", "a b", "f64[2 M]", "i32[n]@step(1Q)"])
def test_bad_arguments_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--arg"):
        parse_arguments([text])


def test_names_of_cxx_and_of_parallel_regions() -> None:
    assert is_mangled("_Z4axpyIdEviT_", "axpy")
    assert is_mangled("_ZN3lib4axpyEid", "lib::axpy<double>(int)")
    assert not is_mangled("axpy", "axpy")
    assert chosen(["_Z4axpyi"], "axpy", Path("f"))[0] == "_Z4axpyi"
    with pytest.raises(InputError, match="any of 2 functions"):
        chosen(["_Z4axpyi", "_Z4axpyd"], "axpy", Path("f"))
    _, said = chosen(["run", "run._omp_fn.0"], "run", Path("f"))
    assert "run._omp_fn.0" in said[0]
    assert chosen(["run.part.0", "run.cold"], "run", Path("f"))[0] == "run.part.0"
    assert chosen(["run.cold.1", "run.isra.0", "run.isra.0.cold"], "run", Path("f"))[0] == "run.isra.0"
    assert chosen(["_Z4axpyi.cold", "_Z4axpyi", "_Z4axpyi.part.0"], "axpy", Path("f"))[0] == "_Z4axpyi"
    assert chosen(["_Z4axpyi.part.0.cold", "_Z4axpyi.part.0"], "axpy", Path("f"))[0] == "_Z4axpyi.part.0"
