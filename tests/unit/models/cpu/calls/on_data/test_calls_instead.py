"""Calls of compiled code in place of nests, where these lack what the code has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.errors import InputError
from tests.support.host import X86_GCC, needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

CODE = """\
#include <immintrin.h>
#include <stddef.h>
struct rows { size_t n; double *x; } all;
int many;
double sum(const struct rows *r) { double s = 0; for (size_t i = 0; i < r->n; i++) s += r->x[i]; return s; }
void scale(double *a) { for (int i = 0; i < many; i++) a[i] *= 2; }
void grow(void) { for (size_t i = 0; i < all.n; i++) all.x[i] += 1; }
__attribute__((target("avx2,fma"))) float dot(const float *a, const float *b, int n) {
  __m256 s = _mm256_setzero_ps();
  int i = 0;
  for (; i + 8 <= n; i += 8) s = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), s);
  float t[8], r = 0;
  _mm256_storeu_ps(t, s);
  for (int k = 0; k < 8; k++) r += t[k];
  for (; i < n; i++) r += a[i] * b[i];
  return r;
}
void fence(volatile int *p, int n) { for (int i = 0; i < n; i++) { __asm__ volatile("" ::: "memory"); *p = i; } }
"""

pytestmark = needs_x86_gcc
_CC = {"cc": X86_GCC, "flags": "-O3"}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("code") / "k.c"
    path.write_text(CODE)
    return path


@pytest.mark.parametrize(("function", "name"), [("sum", "r.n"), ("scale", "many"), ("grow", "all.n")])
def test_sizes_that_the_user_knows_are_asked_for(file: Path, function: str, name: str) -> None:
    """In compiled code they are unknown as well: a loop that goes round no time would be a few nanoseconds."""
    with pytest.raises(InputError, match=f"parameters without a value: {name}"):
        foretell.predict(f"{file}:{function}", "cascade-lake", options=_CC)
    answer = foretell.predict(f"{file}:{function}", "cascade-lake", parameters={name: 1e4}, options=_CC)
    assert answer.time_s > 1e-7


def test_instructions_by_name_are_followed_in_compiled_code(file: Path) -> None:
    """Also where the loop over what is left goes round no time."""
    whole, more = (
        foretell.predict(f"{file}:dot", "cascade-lake", parameters={"n": n}, options=_CC) for n in (1000, 1003)
    )
    assert any("calls instructions by name" in text for text in whole.assumptions)
    cycles = whole.time_s * foretell.machines.load("cascade-lake").value("clock.frequency")
    assert 125 * 2 < cycles < 125 * 8  # each multiply-add waits for the one before: 4 cycles of the turbo clock
    assert whole.time_s < more.time_s < 1.5 * whole.time_s


def test_what_follows_a_short_loop_has_a_time_where_the_loop_has_none(file: Path) -> None:
    """The next call's loop runs beside the additions behind this one's: all cycles are those of the additions."""
    short = foretell.predict(f"{file}:dot", "cascade-lake", parameters={"n": 64}, options=_CC)
    assert 2e-9 < short.time_s < 1e-7


def test_instructions_of_another_machine_are_refused(file: Path) -> None:
    with pytest.raises(InputError, match="dot calls instructions by name"):
        foretell.predict(f"{file}:dot", "cascade-lake", parameters={"n": 1003}, options={"cc": "none"})


def test_loops_that_are_not_read_are_followed_in_compiled_code(file: Path) -> None:
    answer = foretell.predict(f"{file}:fence", "cascade-lake", parameters={"n": 1000}, options=_CC)
    assert any("inline assembly is not modelled: a call of it is followed" in text for text in answer.assumptions)
    assert 1e-7 < answer.time_s < 2e-6


def test_a_container_of_unknown_length_is_not_empty(tmp_path: Path) -> None:
    """A call that skips its only loop, since nothing is known of the length, would be 4 cycles for any of them."""
    path = tmp_path / "v.cpp"
    path.write_text(
        "#include <vector>\n"
        "double total(const std::vector<double> &v) { double s = 0; for (double x : v) s += x; return s; }\n"
    )
    with pytest.raises(InputError, match="the end of a loop depends on values that are not known"):
        foretell.predict(f"{path}:total", "cascade-lake", options=_CC)
    known = foretell.predict(f"{path}:total", "cascade-lake", args=["vector<f64>[1000]"], options=_CC)
    assert known.time_s > 1e-7
