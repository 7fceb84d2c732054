"""Libraries of traced programs: which one C++ gets, and who links."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.trace import Trace
from foretell.errors import InputError
from foretell.frontends.trace import TraceOptions, read_trace, toolchain
from foretell.frontends.trace.cxx_library import system_library
from tests.support.frontends.traced import needs_compiler

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = needs_compiler


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """The system's C++ library is looked for anew."""
    system_library.cache_clear()
    yield
    system_library.cache_clear()


@pytest.mark.skipif(system_library() is None, reason="needs ziglang and g++")
def test_cxx_has_the_library_of_gxx_unless_asked(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("#include <vector>\nint k(const std::vector<int>& v) { return v.at(2); }\n")
    tools = toolchain.toolchain(tmp_path)
    assert "_ZSt24__throw_out_of_range_fmt" in tools.to_ir(source, ())
    assert tools.linkers(cxx=True) == ((shutil.which("g++"),),)
    other = ("-stdlib=libc++",)
    assert "__1" in tools.to_ir(source, other)
    assert tools.linkers(True, other) == ((*tools.cxx, "-O2"),)
    source.write_text("#include <no_such_header>\n")
    with pytest.raises(InputError, match=r"--cflags -stdlib=libc\+\+ takes ziglang's"):
        tools.to_ir(source, ())


@pytest.mark.parametrize("answer", ["x86_64-apple-darwin23", "x86_64-linux-gnu", "/no/linux/libgcc.a"])
@pytest.mark.usefixtures("asked_anew")
def test_a_gxx_whose_headers_do_not_compile_is_not_used(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "g++").write_text(f"#!/bin/sh\necho {answer}\n")
    (tmp_path / "g++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert system_library() is None
    tools = toolchain.toolchain(tmp_path)
    if tools.brings_library:
        assert tools.linkers(cxx=True) == ((*tools.cxx, "-O2"),)


def test_a_system_compiler_that_cannot_link_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "sum.c"
    source.write_text("double s;\nint main(int n, char **v) { for (int i = 0; i < 5; i++) s += n; return 0; }\n")
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    tools = toolchain.toolchain(tmp_path)
    good = tools.linkers(cxx=False)[0]
    monkeypatch.setattr(toolchain.Toolchain, "linkers", lambda *_: ((str(tmp_path / "cc"),), good))
    assert read_trace([source], TraceOptions()).facet(Trace).operations.add == 5
    monkeypatch.setattr(toolchain.Toolchain, "linkers", lambda *_: ((str(tmp_path / "cc"),),) * 2)
    with pytest.raises(InputError, match="does not compile"):
        read_trace([source], TraceOptions())
