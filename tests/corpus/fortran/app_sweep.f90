! Discrete-ordinates style F90: allocatable module arrays, pointers to slices, associate, named loops, optional work.
module geometry
  implicit none
  integer, parameter :: r_knd = selected_real_kind(15, 307)
  integer :: nx = 5, ny = 4, nz = 3
  real(r_knd) :: dx = 0.2_r_knd, dy = 0.25_r_knd, dz = 1.0_r_knd/3.0_r_knd
  real(r_knd), allocatable, dimension(:) :: hi, hj, hk
  real(r_knd), allocatable, dimension(:,:,:,:), target :: t_xs
end module geometry

module sn_data
  use geometry, only: r_knd
  implicit none
  integer :: nang = 4, noct = 8, ng = 2, nmom = 2
  real(r_knd), allocatable, dimension(:) :: mu, eta, xi, w
  real(r_knd), allocatable, dimension(:,:) :: ec
  real(r_knd), allocatable, dimension(:,:,:,:), target :: flux0, qtot
  real(r_knd), allocatable, dimension(:,:,:,:) :: ptr_out
  real(r_knd), parameter :: zero = 0.0_r_knd, one = 1.0_r_knd, two = 2.0_r_knd, tolr = 1.0e-12_r_knd
contains
  subroutine sn_allocate(ok)
    use geometry, only: nx, ny, nz
    logical, intent(out) :: ok
    integer :: l
    allocate(mu(nang), eta(nang), xi(nang), w(nang), ec(nang, nmom))
    allocate(flux0(nx,ny,nz,ng), qtot(nx,ny,nz,ng), ptr_out(nang,nx,ny,nz))
    do l = 1, nang
      mu(l) = (real(l, r_knd) - 0.5_r_knd)/nang
      eta(l) = one - mu(l)
      xi(l) = sqrt(max(zero, one - mu(l)**2 - 0.25_r_knd*eta(l)**2))
      w(l) = 0.125_r_knd/nang
    end do
    ec(:,1) = one
    do l = 2, nmom
      ec(:,l) = ec(:,l-1)*mu
    end do
    flux0 = zero
    qtot = one
    ptr_out = zero
    ok = .true.
  end subroutine sn_allocate
end module sn_data

module dim3_sweep_module
  use geometry
  use sn_data
  implicit none
contains
  subroutine dim3_sweep(oct, g, t, flux, q, fmin, fmax)
    integer, intent(in) :: oct, g
    real(r_knd), dimension(:,:,:), intent(in) :: t
    real(r_knd), dimension(nx,ny,nz), intent(inout) :: flux
    real(r_knd), dimension(nx,ny,nz), intent(in) :: q
    real(r_knd), intent(inout) :: fmin, fmax
    real(r_knd), dimension(nang) :: psi, pc, den, psii
    real(r_knd), dimension(nang,nx) :: psij
    real(r_knd), dimension(nang,nx,ny) :: psik
    real(r_knd), dimension(nang,3) :: fxhv, hv
    integer :: ist, jst, kst, ilo, ihi, jlo, jhi, klo, khi, i, j, k
    ist = merge(1, -1, btest(oct, 0))
    jst = merge(1, -1, btest(oct, 1))
    kst = merge(1, -1, btest(oct, 2))
    ilo = 1
    ihi = nx
    if (ist < 0) then
      ilo = nx
      ihi = 1
    end if
    jlo = 1
    jhi = ny
    if (jst < 0) then
      jlo = ny
      jhi = 1
    end if
    klo = 1
    khi = nz
    if (kst < 0) then
      klo = nz
      khi = 1
    end if
    psik = zero
    k_loop: do k = klo, khi, kst
      psij = zero
      j_loop: do j = jlo, jhi, jst
        psii = zero
        i_loop: do i = ilo, ihi, ist
          den = one/(t(i,j,k) + mu*hi(i) + eta*hj(j) + xi*hk(k))
          pc = (q(i,j,k) + psii*mu*hi(i) + psij(:,i)*eta*hj(j) + psik(:,i,j)*xi*hk(k))*den
          hv = one
          fxhv(:,1) = two*pc - psii
          fxhv(:,2) = two*pc - psij(:,i)
          fxhv(:,3) = two*pc - psik(:,i,j)
          where (fxhv < zero) hv = zero
          psi = pc
          psii = fxhv(:,1)*hv(:,1)
          psij(:,i) = fxhv(:,2)*hv(:,2)
          psik(:,i,j) = fxhv(:,3)*hv(:,3)
          flux(i,j,k) = flux(i,j,k) + sum(w*psi)
          ptr_out(:,i,j,k) = psi
        end do i_loop
      end do j_loop
    end do k_loop
    fmin = min(fmin, minval(flux))
    fmax = max(fmax, maxval(flux))
  end subroutine dim3_sweep
end module dim3_sweep_module

module outer_module
  use geometry
  use sn_data
  implicit none
contains
  subroutine outer_source(slgg, fluxin, q, chi)
    real(r_knd), intent(in) :: slgg(:,:), fluxin(:,:,:,:), chi
    real(r_knd), intent(inout) :: q(:,:,:,:)
    integer :: g, gp, i, j, k
    do g = 1, ng
      q(:,:,:,g) = chi
      do gp = 1, ng
        if (gp == g) cycle
        do k = 1, nz
          do j = 1, ny
            do i = 1, nx
              q(i,j,k,g) = q(i,j,k,g) + slgg(gp,g)*fluxin(i,j,k,gp)
            end do
          end do
        end do
      end do
    end do
  end subroutine outer_source

  logical function converged(f, fold, eps, df)
    real(r_knd), dimension(:,:,:,:), intent(in) :: f
    real(r_knd), dimension(:,:,:,:), intent(in) :: fold
    real(r_knd), intent(in) :: eps
    real(r_knd), intent(out) :: df
    integer :: i, j, k, g
    df = zero
    do g = 1, size(f, 4)
      do k = 1, size(f, 3)
        do j = 1, size(f, 2)
          do i = 1, size(f, 1)
            df = max(df, abs(f(i,j,k,g) - fold(i,j,k,g)))
          end do
        end do
      end do
    end do
    converged = df < eps
  end function converged
end module outer_module

program sn_driver
  use geometry
  use sn_data
  use dim3_sweep_module
  use outer_module
  implicit none
  real(r_knd), allocatable :: old(:,:,:,:), slgg(:,:)
  real(r_knd), pointer :: tg(:,:,:)
  real(r_knd) :: fmin, fmax, df
  logical :: ok, done
  integer :: o, g, oct
  call sn_allocate(ok)
  allocate(hi(nx), hj(ny), hk(nz), t_xs(nx,ny,nz,ng), slgg(ng,ng), old(nx,ny,nz,ng))
  hi = two/dx
  hj = two/dy
  hk = two/dz
  do g = 1, ng
    t_xs(:,:,:,g) = 1.0_r_knd + 0.5_r_knd*g
  end do
  slgg = 0.1_r_knd
  fmin = huge(one)
  fmax = zero
  done = .false.
  do o = 1, 2
    old = flux0
    call outer_source(slgg, flux0, qtot, 1.0_r_knd)
    flux0 = zero
    do g = 1, ng
      tg => t_xs(:,:,:,g)
      do oct = 0, noct - 1
        call dim3_sweep(oct, g, tg, flux0(:,:,:,g), qtot(:,:,:,g), fmin, fmax)
      end do
    end do
    done = converged(flux0, old, 1.0e-4_r_knd, df)
    if (done) exit
  end do
  print *, fmin, fmax, df, flux0(2,2,2,1), sum(ptr_out)
end program sn_driver
