program driver
  use mesh
  use solver
  implicit none
  integer :: n
  call mesh_create(10, 8)
  t(4, 4) = 100.0_wp
  do n = 1, 3
    call step(0.001_wp)
  end do
  print *, t(4,4), t(5,4), sum(t)
end program driver
