"""A function of which code is to be made even where it is inlined everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.codegen.compiled.installed import named_compiler
from foretell.codegen.compiled.unit import compile_unit

if TYPE_CHECKING:
    from pathlib import Path

CODE = """#ifdef WIDE
static int wide(int a) { return a + 2; }
int both(int a) { return wide(a); }
#else
static int plain(int a) { return a + 1; }
int both(int a) { return plain(a); }
#endif
"""


@pytest.mark.parametrize(("flags", "made"), [((), True), (("-DWIDE",), False)])
def test_what_the_compilers_own_macros_leave_out_is_not_kept(
    tmp_path: Path, flags: tuple[str, ...], made: bool
) -> None:
    """Macros of an instruction set choose between functions: the rest of the file is compiled nevertheless."""
    file = tmp_path / "a.c"
    file.write_text(CODE)
    text = compile_unit(file, named_compiler("gcc"), ("-O2", *flags), (), "plain").text
    assert ("plain:" in text) is made
    assert "both:" in text
