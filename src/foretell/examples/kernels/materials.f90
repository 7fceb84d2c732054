! Diffusion through several materials on a plane: materials N STEPS
subroutine materials(n, steps, kind, conductivity, a, b)
  implicit none
  integer, intent(in) :: n, steps, kind(n, n)
  real(8), intent(in) :: conductivity(3)
  real(8), intent(inout) :: a(n, n), b(n, n)
  integer :: i, j, t
  do t = 1, steps
    !$omp parallel do private(i)
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = a(i, j) + 0.1d0 * conductivity(kind(i, j)) * &
                  (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4.0d0 * a(i, j))
      end do
    end do
    !$omp parallel do private(i)
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do
  end do
end subroutine materials

program main
  implicit none
  integer :: n, steps, i, j
  integer(8) :: started, ended, rate
  character(len=32) :: text
  integer, allocatable :: kind(:, :)
  real(8), allocatable :: a(:, :), b(:, :)
  real(8) :: conductivity(3)
  n = 128
  steps = 4
  if (command_argument_count() >= 1) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, text)
    read (text, *) steps
  end if
  allocate (kind(n, n), a(n, n), b(n, n))
  conductivity = (/ 1.0d0, 0.5d0, 0.1d0 /)
  do j = 1, n
    do i = 1, n
      kind(i, j) = 1 + mod(i / 8 + j / 8, 3)
      a(i, j) = dble(mod(i * 7 + j * 13, 101)) / 101.0d0
    end do
  end do
  b = a
  call system_clock(started, rate)
  call materials(n, steps, kind, conductivity, a, b)
  call system_clock(ended)
  print '(a,es16.9,a,es20.12)', 'seconds ', dble(ended - started) / dble(rate), ' checksum ', sum(a)
end program main
