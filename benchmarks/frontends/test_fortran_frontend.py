"""The Fortran front end: a file of 20,000 lines, a kernel of 100 lines from a cold start."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """subroutine sweep{n}(u, un, nx, ny, nz, c)
  implicit none
  integer, intent(in) :: nx, ny, nz
  real(8), intent(in) :: u(0:nx+1,0:ny+1,0:nz+1), c
  real(8), intent(out) :: un(0:nx+1,0:ny+1,0:nz+1)
  integer :: i, j, k
  real(8) :: t
  un(1:nx,1:ny,1) = u(1:nx,1:ny,0) + c
  do k = 1, nz
    do j = 1, ny
      do i = 1, nx
        t = u(i-1,j,k) + u(i+1,j,k) + u(i,j-1,k) + u(i,j+1,k) + u(i,j,k-1) + u(i,j,k+1)
        un(i,j,k) = c * t + sqrt(u(i,j,k)) / 6.0d0
        if (t > 0.0d0 .and. i /= 3) then
          un(i,j,k) = un(i,j,k) + max(t, 0.0d0) * u(i,j,k)**2
        end if
      end do
    end do
  end do
end subroutine sweep{n}
"""


def write(folder: Path, lines: int) -> Path:
    path = folder / f"kernels{lines}.f90"
    path.write_text("".join(KERNEL.format(n=n) for n in range(lines // KERNEL.count("\n"))))
    return path


def test_twenty_thousand_lines(benchmark: Any, tmp_path: Path) -> None:
    path = write(tmp_path, 20_000)
    before = time.process_time()
    (unit,) = benchmark.pedantic(parse_fortran, args=([path],), rounds=1)
    seconds = time.process_time() - before
    benchmark.extra_info["target"] = "at most 3 s of CPU time and 300 MB"
    assert unit.loops_seen == 3 * 1000
    assert not any(isinstance(s, ir.Opaque) for function in unit.functions for s in function.body)
    benchmark.extra_info["cpu_seconds"] = seconds
    benchmark.extra_info["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_a_hundred_lines_from_a_cold_start(benchmark: Any, tmp_path: Path) -> None:
    path = write(tmp_path, 100)
    code = "from pathlib import Path; from foretell.frontends.fortran import parse_fortran; "
    code += f"parse_fortran([Path({str(path)!r})])"
    benchmark.pedantic(subprocess.run, args=([sys.executable, "-c", code],), kwargs={"check": True}, rounds=3)
    benchmark.extra_info["target"] = "at most 0.25 s of CPU time"
