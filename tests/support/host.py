"""What this computer and its compilers can do, for tests that need x86-64 code."""

from __future__ import annotations

import platform
import shutil

import pytest

IS_X86 = platform.machine() in ("x86_64", "AMD64")
#: a gcc that emits x86-64 code: the host's own, or Debian's cross compiler
X86_GCC = next((name for name in ("gcc" if IS_X86 else "", "x86_64-linux-gnu-gcc") if name and shutil.which(name)), "")
needs_x86_gcc = pytest.mark.skipif(not X86_GCC, reason="needs a gcc for x86-64")
needs_x86 = pytest.mark.skipif(not IS_X86, reason="runs x86-64 code")
