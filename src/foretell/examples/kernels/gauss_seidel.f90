! Gauss-Seidel sweeps in place; with OpenMP along diagonals: gauss_seidel N STEPS
subroutine relax(n, steps, a)
  implicit none
  integer, intent(in) :: n, steps
  real(8), intent(inout) :: a(n, n)
  integer :: i, j, t
!$ integer :: d
  do t = 1, steps
!$  if (.true.) then
!$    do d = 4, 2 * (n - 1)
!$omp parallel do
!$      do i = max(2, d - (n - 1)), min(n - 1, d - 2)
!$        a(i, d - i) = 0.25d0 * (a(i - 1, d - i) + a(i + 1, d - i) + a(i, d - i - 1) + a(i, d - i + 1))
!$      end do
!$    end do
!$    cycle
!$  end if
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
  end do
end subroutine relax

program main
  implicit none
  integer :: n, steps, i, j
  integer(8) :: started, ended, rate
  character(len=32) :: text
  real(8), allocatable :: a(:, :)
  n = 128
  steps = 2
  if (command_argument_count() >= 1) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, text)
    read (text, *) steps
  end if
  allocate (a(n, n))
  do j = 1, n
    do i = 1, n
      a(i, j) = dble(mod(i * 7 + j * 13, 101)) / 101.0d0
    end do
  end do
  call system_clock(started, rate)
  call relax(n, steps, a)
  call system_clock(ended)
  print '(a,es16.9,a,es20.12)', 'seconds ', dble(ended - started) / dble(rate), ' checksum ', sum(a)
end program main
