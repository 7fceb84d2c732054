! Weather-model style: columns, many array temporaries, tile and memory bounds, staggered fields, microphysics.
module constants
  implicit none
  integer, parameter :: wp = 8
  real(wp), parameter :: grav = 9.81_wp, cp = 1004.0_wp, rd = 287.0_wp, p00 = 1.0e5_wp, lv = 2.5e6_wp
  real(wp), parameter :: rovcp = rd/cp, eps = 0.622_wp
end module constants

module dynamics
  use constants
  implicit none
contains
  subroutine advect_scalar(field, ru, rv, rom, tendency, rdx, rdy, rdzw, ids, ide, jds, jde, kds, kde, &
                           ims, ime, jms, jme, kms, kme, its, ite, jts, jte, kts, kte)
    integer, intent(in) :: ids, ide, jds, jde, kds, kde, ims, ime, jms, jme, kms, kme, its, ite, jts, jte, kts, kte
    real(wp), dimension(ims:ime, kms:kme, jms:jme), intent(in) :: field, ru, rv, rom
    real(wp), dimension(ims:ime, kms:kme, jms:jme), intent(inout) :: tendency
    real(wp), dimension(kms:kme), intent(in) :: rdzw
    real(wp), intent(in) :: rdx, rdy
    real(wp), dimension(its:ite+1, kts:kte) :: fqx
    real(wp), dimension(its:ite, kts:kte+1) :: vflux
    real(wp) :: vel
    integer :: i, j, k, i_start, i_end, j_start, j_end
    i_start = max(its, ids + 2)
    i_end = min(ite, ide - 3)
    j_start = max(jts, jds + 1)
    j_end = min(jte, jde - 2)
    do j = j_start, j_end
      do k = kts, kte
        do i = i_start, i_end + 1
          vel = ru(i,k,j)
          fqx(i,k) = vel*(7.0_wp*(field(i,k,j) + field(i-1,k,j)) - (field(i+1,k,j) + field(i-2,k,j)))/12.0_wp
        end do
      end do
      do k = kts, kte
        do i = i_start, i_end
          tendency(i,k,j) = tendency(i,k,j) - rdx*(fqx(i+1,k) - fqx(i,k))
        end do
      end do
    end do
    do j = j_start, j_end
      do k = kts, kte
        do i = i_start, i_end
          tendency(i,k,j) = tendency(i,k,j) - 0.5_wp*rdy*(rv(i,k,j+1)*(field(i,k,j+1) + field(i,k,j)) &
                                                        - rv(i,k,j)*(field(i,k,j) + field(i,k,j-1)))
        end do
      end do
    end do
    do j = j_start, j_end
      do i = i_start, i_end
        vflux(i,kts) = 0.0_wp
        vflux(i,kte+1) = 0.0_wp
      end do
      do k = kts + 1, kte
        do i = i_start, i_end
          vflux(i,k) = rom(i,k,j)*0.5_wp*(field(i,k,j) + field(i,k-1,j))
        end do
      end do
      do k = kts, kte
        do i = i_start, i_end
          tendency(i,k,j) = tendency(i,k,j) - rdzw(k)*(vflux(i,k+1) - vflux(i,k))
        end do
      end do
    end do
  end subroutine advect_scalar

  subroutine diffuse(field, tendency, k_h, nx, nz, ny)
    integer, intent(in) :: nx, nz, ny
    real(wp), intent(in) :: field(:,:,:), k_h
    real(wp), intent(inout) :: tendency(:,:,:)
    real(wp), allocatable :: flux_x(:,:,:), flux_y(:,:,:)
    allocate(flux_x(nx,nz,ny), flux_y(nx,nz,ny))
    flux_x = 0.0_wp
    flux_y = 0.0_wp
    flux_x(2:nx,:,:) = field(2:nx,:,:) - field(1:nx-1,:,:)
    flux_y(:,:,2:ny) = field(:,:,2:ny) - field(:,:,1:ny-1)
    tendency(2:nx-1,:,2:ny-1) = tendency(2:nx-1,:,2:ny-1) + k_h*(flux_x(3:nx,:,2:ny-1) - flux_x(2:nx-1,:,2:ny-1) &
                              + flux_y(2:nx-1,:,3:ny) - flux_y(2:nx-1,:,2:ny-1))
    deallocate(flux_x, flux_y)
  end subroutine diffuse

  subroutine pressure_column(theta, qv, dz, p, nx, nz, ny)
    integer, intent(in) :: nx, nz, ny
    real(wp), intent(in) :: theta(nx,nz,ny), qv(nx,nz,ny), dz(nz)
    real(wp), intent(out) :: p(nx,nz,ny)
    real(wp) :: pi_col(nz), tv
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        pi_col(1) = 1.0_wp
        do k = 2, nz
          tv = 0.5_wp*(theta(i,k,j) + theta(i,k-1,j))*(1.0_wp + 0.61_wp*qv(i,k,j))
          pi_col(k) = pi_col(k-1) - grav*dz(k)/(cp*tv)
        end do
        do k = 1, nz
          p(i,k,j) = p00*pi_col(k)**(cp/rd)
        end do
      end do
    end do
  end subroutine pressure_column

  subroutine vertical_solve(w, a, b, c, nx, nz, ny)
    integer, intent(in) :: nx, nz, ny
    real(wp), intent(inout) :: w(nx,nz,ny)
    real(wp), intent(in) :: a(nz), b(nz), c(nz)
    real(wp), dimension(nx,nz) :: gam, bet
    integer :: i, j, k
    do j = 1, ny
      bet(:,1) = b(1)
      w(:,1,j) = w(:,1,j)/bet(:,1)
      do k = 2, nz
        gam(:,k) = c(k-1)/bet(:,k-1)
        bet(:,k) = b(k) - a(k)*gam(:,k)
        w(:,k,j) = (w(:,k,j) - a(k)*w(:,k-1,j))/bet(:,k)
      end do
      do k = nz - 1, 1, -1
        do i = 1, nx
          w(i,k,j) = w(i,k,j) - gam(i,k+1)*w(i,k+1,j)
        end do
      end do
    end do
  end subroutine vertical_solve
end module dynamics

module microphysics
  use constants
  implicit none
contains
  elemental real(wp) function saturation(t, p) result(qs)
    real(wp), intent(in) :: t, p
    real(wp) :: es
    es = 611.2_wp*exp(17.67_wp*(t - 273.15_wp)/(t - 29.65_wp))
    qs = eps*es/(p - es)
  end function saturation

  subroutine condense(theta, qv, qc, p, nx, nz, ny)
    integer, intent(in) :: nx, nz, ny
    real(wp), dimension(nx,nz,ny), intent(inout) :: theta, qv, qc
    real(wp), dimension(nx,nz,ny), intent(in) :: p
    real(wp), dimension(nx,nz,ny) :: exner, temp, qs
    integer :: i, j, k
    real(wp) :: delta
    exner = (p/p00)**rovcp
    temp = theta*exner
    do j = 1, ny
      do k = 1, nz
        do i = 1, nx
          qs(i,k,j) = saturation(temp(i,k,j), p(i,k,j))
        end do
      end do
    end do
    do j = 1, ny
      do k = 1, nz
        do i = 1, nx
          delta = qv(i,k,j) - qs(i,k,j)
          if (delta > 0.0_wp) then
            qv(i,k,j) = qv(i,k,j) - delta
            qc(i,k,j) = qc(i,k,j) + delta
            theta(i,k,j) = theta(i,k,j) + lv/cp*delta/exner(i,k,j)
          end if
        end do
      end do
    end do
    where (qc < 1.0e-12_wp)
      qc = 0.0_wp
    end where
  end subroutine condense

  subroutine sediment(qc, dz, vt, precip, nx, nz, ny)
    integer, intent(in) :: nx, nz, ny
    real(wp), intent(inout) :: qc(nx,nz,ny), precip(nx,ny)
    real(wp), intent(in) :: dz(nz), vt
    real(wp) :: fall(nz+1)
    integer :: i, j, k
    column_loop: do j = 1, ny
      do i = 1, nx
        if (maxval(qc(i,:,j)) <= 0.0_wp) cycle
        fall = 0.0_wp
        do k = nz, 1, -1
          fall(k) = vt*qc(i,k,j)
        end do
        do k = 1, nz
          qc(i,k,j) = qc(i,k,j) + (fall(k+1) - fall(k))/dz(k)
        end do
        precip(i,j) = precip(i,j) + fall(1)
      end do
    end do column_loop
  end subroutine sediment
end module microphysics

program weather
  use constants, only: wp
  use dynamics
  use microphysics
  implicit none
  integer, parameter :: nx = 9, ny = 8, nz = 6
  real(wp), dimension(nx,nz,ny) :: theta, qv, qc, p, u, v, w, tend, qtend
  real(wp) :: dz(nz), rdz(nz), a(nz), b(nz), c(nz), precip(nx,ny), dt
  integer :: i, j, k, step
  do j = 1, ny
    do k = 1, nz
      do i = 1, nx
        theta(i,k,j) = 300.0_wp + 2.0_wp*k + 0.1_wp*sin(0.7_wp*i)*cos(0.5_wp*j)
        qv(i,k,j) = 0.02_wp*exp(-0.3_wp*k)
        u(i,k,j) = 5.0_wp + 0.1_wp*k
        v(i,k,j) = 1.0_wp
        w(i,k,j) = 0.01_wp*i
      end do
    end do
  end do
  qc = 0.0_wp
  dz = 400.0_wp
  rdz = 1.0_wp/dz
  a = -0.25_wp
  b = 1.5_wp
  c = -0.25_wp
  precip = 0.0_wp
  dt = 2.0_wp
  do step = 1, 2
    tend = 0.0_wp
    qtend = 0.0_wp
    call advect_scalar(theta, u, v, w, tend, 1.0e-3_wp, 1.0e-3_wp, rdz, 1, nx+1, 1, ny+1, 1, nz+1, &
                       1, nx, 1, ny, 1, nz, 1, nx, 1, ny, 1, nz)
    call advect_scalar(qv, u, v, w, qtend, 1.0e-3_wp, 1.0e-3_wp, rdz, 1, nx+1, 1, ny+1, 1, nz+1, &
                       1, nx, 1, ny, 1, nz, 1, nx, 1, ny, 1, nz)
    call diffuse(theta, tend, 0.05_wp, nx, nz, ny)
    theta = theta + dt*tend
    qv = max(0.0_wp, qv + dt*qtend)
    call pressure_column(theta, qv, dz, p, nx, nz, ny)
    call vertical_solve(w, a, b, c, nx, nz, ny)
    call condense(theta, qv, qc, p, nx, nz, ny)
    call sediment(qc, dz, 3.0_wp, precip, nx, nz, ny)
  end do
  print *, sum(theta), maxval(qv), p(3,3,3), w(2,2,2), sum(precip)
end program weather
