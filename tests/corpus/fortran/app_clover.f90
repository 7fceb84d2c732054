! Compressible hydrodynamics on a staggered mesh, two-sided bounds and ghost zones, many small kernels.
module ideal_gas_module
contains
  subroutine ideal_gas(x_min, x_max, y_min, y_max, density, energy, pressure, soundspeed)
    implicit none
    integer :: x_min, x_max, y_min, y_max
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: density, energy, pressure, soundspeed
    integer :: j, k
    real(kind=8) :: sound_speed_squared, v, pressurebyenergy, pressurebyvolume
!$omp parallel
!$omp do private(v, pressurebyenergy, pressurebyvolume, sound_speed_squared)
    do k = y_min, y_max
      do j = x_min, x_max
        v = 1.0_8/density(j,k)
        pressure(j,k) = (1.4_8 - 1.0_8)*density(j,k)*energy(j,k)
        pressurebyenergy = (1.4_8 - 1.0_8)*density(j,k)
        pressurebyvolume = -density(j,k)*pressure(j,k)
        sound_speed_squared = v*v*(pressure(j,k)*pressurebyenergy - pressurebyvolume)
        soundspeed(j,k) = sqrt(sound_speed_squared)
      end do
    end do
!$omp end do
!$omp end parallel
  end subroutine ideal_gas
end module ideal_gas_module

module hydro_kernels
  implicit none
contains
  subroutine viscosity_kernel(x_min, x_max, y_min, y_max, celldx, celldy, density0, pressure, viscosity, xvel0, yvel0)
    integer :: x_min, x_max, y_min, y_max
    real(kind=8), dimension(x_min-2:x_max+2) :: celldx
    real(kind=8), dimension(y_min-2:y_max+2) :: celldy
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: density0, pressure, viscosity
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+3) :: xvel0, yvel0
    integer :: j, k
    real(kind=8) :: ugrad, vgrad, grad2, pgradx, pgrady, grad, ygrad, pgrad, xgrad, div, strain2, limiter
    do k = y_min, y_max
      do j = x_min, x_max
        ugrad = (xvel0(j+1,k) + xvel0(j+1,k+1)) - (xvel0(j,k) + xvel0(j,k+1))
        vgrad = (yvel0(j,k+1) + yvel0(j+1,k+1)) - (yvel0(j,k) + yvel0(j+1,k))
        div = celldx(j)*ugrad + celldy(k)*vgrad
        strain2 = 0.5_8*(xvel0(j,k+1) + xvel0(j+1,k+1) - xvel0(j,k) - xvel0(j+1,k))/celldy(k) &
                + 0.5_8*(yvel0(j+1,k) + yvel0(j+1,k+1) - yvel0(j,k) - yvel0(j,k+1))/celldx(j)
        pgradx = (pressure(j+1,k) - pressure(j-1,k))/(celldx(j) + celldx(j+1))
        pgrady = (pressure(j,k+1) - pressure(j,k-1))/(celldy(k) + celldy(k+1))
        grad2 = pgradx*pgradx
        limiter = (0.5_8*ugrad/celldx(j))*grad2 + (0.5_8*vgrad/celldy(k))*pgrady*pgrady + strain2*pgradx*pgrady
        limiter = limiter/max(grad2 + pgrady*pgrady, 1.0e-16_8)
        if (limiter > 0.0_8 .or. div >= 0.0_8) then
          viscosity(j,k) = 0.0_8
        else
          pgradx = sign(max(1.0e-16_8, abs(pgradx)), pgradx)
          pgrady = sign(max(1.0e-16_8, abs(pgrady)), pgrady)
          pgrad = sqrt(pgradx**2 + pgrady**2)
          xgrad = abs(celldx(j)*pgrad/pgradx)
          ygrad = abs(celldy(k)*pgrad/pgrady)
          grad = min(xgrad, ygrad)
          viscosity(j,k) = 2.0_8*density0(j,k)*grad*grad*limiter*limiter
        end if
      end do
    end do
  end subroutine viscosity_kernel

  subroutine accelerate_kernel(x_min, x_max, y_min, y_max, dt, xarea, yarea, volume, density0, pressure, viscosity, &
                               xvel0, yvel0, xvel1, yvel1)
    integer :: x_min, x_max, y_min, y_max
    real(kind=8) :: dt
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+2) :: xarea
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+3) :: yarea
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: volume, density0, pressure, viscosity
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+3) :: xvel0, yvel0, xvel1, yvel1
    integer :: j, k
    real(kind=8) :: nodal_mass, stepbymass_s, halfdt
    halfdt = 0.5_8*dt
    do k = y_min, y_max + 1
      do j = x_min, x_max + 1
        nodal_mass = (density0(j-1,k-1)*volume(j-1,k-1) + density0(j,k-1)*volume(j,k-1) &
                    + density0(j,k)*volume(j,k) + density0(j-1,k)*volume(j-1,k))*0.25_8
        stepbymass_s = halfdt/nodal_mass
        xvel1(j,k) = xvel0(j,k) - stepbymass_s*(xarea(j,k)*(pressure(j,k) - pressure(j-1,k)) &
                   + xarea(j,k-1)*(pressure(j,k-1) - pressure(j-1,k-1)))
        yvel1(j,k) = yvel0(j,k) - stepbymass_s*(yarea(j,k)*(pressure(j,k) - pressure(j,k-1)) &
                   + yarea(j-1,k)*(pressure(j-1,k) - pressure(j-1,k-1)))
        xvel1(j,k) = xvel1(j,k) - stepbymass_s*(xarea(j,k)*(viscosity(j,k) - viscosity(j-1,k)) &
                   + xarea(j,k-1)*(viscosity(j,k-1) - viscosity(j-1,k-1)))
        yvel1(j,k) = yvel1(j,k) - stepbymass_s*(yarea(j,k)*(viscosity(j,k) - viscosity(j,k-1)) &
                   + yarea(j-1,k)*(viscosity(j-1,k) - viscosity(j-1,k-1)))
      end do
    end do
  end subroutine accelerate_kernel

  subroutine flux_calc_kernel(x_min, x_max, y_min, y_max, dt, xarea, yarea, xvel0, yvel0, xvel1, yvel1, vol_flux_x, vol_flux_y)
    integer :: x_min, x_max, y_min, y_max
    real(kind=8), intent(in) :: dt
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+2) :: xarea, vol_flux_x
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+3) :: yarea, vol_flux_y
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+3) :: xvel0, yvel0, xvel1, yvel1
    integer :: j, k
    do k = y_min, y_max
      do j = x_min, x_max + 1
        vol_flux_x(j,k) = 0.25_8*dt*xarea(j,k)*(xvel0(j,k) + xvel0(j,k+1) + xvel1(j,k) + xvel1(j,k+1))
      end do
    end do
    do k = y_min, y_max + 1
      do j = x_min, x_max
        vol_flux_y(j,k) = 0.25_8*dt*yarea(j,k)*(yvel0(j,k) + yvel0(j+1,k) + yvel1(j,k) + yvel1(j+1,k))
      end do
    end do
  end subroutine flux_calc_kernel

  subroutine pdv_kernel(predict, x_min, x_max, y_min, y_max, volume, density0, density1, energy0, energy1, pressure, &
                        viscosity, vol_flux_x, vol_flux_y)
    logical :: predict
    integer :: x_min, x_max, y_min, y_max
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: volume, density0, density1, energy0, energy1
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: pressure, viscosity
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+2) :: vol_flux_x
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+3) :: vol_flux_y
    integer :: j, k
    real(kind=8) :: recip_volume, energy_change, total_flux, volume_change_s
    if (predict) then
      do k = y_min, y_max
        do j = x_min, x_max
          total_flux = 0.5_8*(vol_flux_x(j+1,k) - vol_flux_x(j,k) + vol_flux_y(j,k+1) - vol_flux_y(j,k))
          volume_change_s = volume(j,k)/(volume(j,k) + total_flux)
          recip_volume = 1.0_8/volume(j,k)
          energy_change = (pressure(j,k)/density0(j,k) + viscosity(j,k)/density0(j,k))*total_flux*recip_volume
          energy1(j,k) = energy0(j,k) - energy_change
          density1(j,k) = density0(j,k)*volume_change_s
        end do
      end do
    else
      do k = y_min, y_max
        do j = x_min, x_max
          total_flux = vol_flux_x(j+1,k) - vol_flux_x(j,k) + vol_flux_y(j,k+1) - vol_flux_y(j,k)
          volume_change_s = volume(j,k)/(volume(j,k) + total_flux)
          energy1(j,k) = energy0(j,k) - pressure(j,k)/density0(j,k)*total_flux/volume(j,k)
          density1(j,k) = density0(j,k)*volume_change_s
        end do
      end do
    end if
  end subroutine pdv_kernel

  subroutine advec_cell_x(x_min, x_max, y_min, y_max, vertexdx, volume, density1, energy1, vol_flux_x, mass_flux_x, &
                          pre_vol, post_vol, ener_flux)
    integer :: x_min, x_max, y_min, y_max
    real(kind=8), dimension(x_min-2:x_max+3) :: vertexdx
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: volume, density1, energy1
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+2) :: vol_flux_x, mass_flux_x
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+3) :: pre_vol, post_vol, ener_flux
    integer :: j, k, upwind, donor, downwind, dif
    real(kind=8) :: sigmat, sigma3, sigma4, diffuw, diffdw, limiter, wind, pre_mass, post_mass, post_ener, advec_vol
    real(kind=8), parameter :: one_by_six = 1.0_8/6.0_8
    do k = y_min - 2, y_max + 2
      do j = x_min - 2, x_max + 2
        pre_vol(j,k) = volume(j,k) + (vol_flux_x(j+1,k) - vol_flux_x(j,k))
        post_vol(j,k) = volume(j,k)
      end do
    end do
    do k = y_min, y_max
      do j = x_min, x_max + 2
        if (vol_flux_x(j,k) > 0.0_8) then
          upwind = j - 2
          donor = j - 1
          downwind = j
          dif = donor
        else
          upwind = min(j + 1, x_max + 2)
          donor = j
          downwind = j - 1
          dif = upwind
        end if
        sigmat = abs(vol_flux_x(j,k))/pre_vol(donor,k)
        sigma3 = (1.0_8 + sigmat)*(vertexdx(j)/vertexdx(dif))
        sigma4 = 2.0_8 - sigmat
        diffuw = density1(donor,k) - density1(upwind,k)
        diffdw = density1(downwind,k) - density1(donor,k)
        wind = 1.0_8
        if (diffdw <= 0.0_8) wind = -1.0_8
        if (diffuw*diffdw > 0.0_8) then
          limiter = (1.0_8 - sigmat)*wind*min(abs(diffuw), abs(diffdw), &
                    one_by_six*(sigma3*abs(diffuw) + sigma4*abs(diffdw)))
        else
          limiter = 0.0_8
        end if
        mass_flux_x(j,k) = vol_flux_x(j,k)*(density1(donor,k) + limiter)
        ener_flux(j,k) = mass_flux_x(j,k)*energy1(donor,k)
      end do
    end do
    do k = y_min, y_max
      do j = x_min, x_max
        pre_mass = density1(j,k)*pre_vol(j,k)
        post_mass = pre_mass + mass_flux_x(j,k) - mass_flux_x(j+1,k)
        post_ener = (energy1(j,k)*pre_mass + ener_flux(j,k) - ener_flux(j+1,k))/post_mass
        advec_vol = pre_vol(j,k) + vol_flux_x(j,k) - vol_flux_x(j+1,k)
        density1(j,k) = post_mass/advec_vol
        energy1(j,k) = post_ener
      end do
    end do
  end subroutine advec_cell_x

  subroutine update_halo(x_min, x_max, y_min, y_max, field, depth)
    integer :: x_min, x_max, y_min, y_max, depth, j, k
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: field
    do k = 1, depth
      do j = x_min - depth, x_max + depth
        field(j, 1-k) = field(j, 0+k)
        field(j, y_max+k) = field(j, y_max+1-k)
      end do
    end do
    do k = y_min - depth, y_max + depth
      do j = 1, depth
        field(1-j, k) = field(0+j, k)
        field(x_max+j, k) = field(x_max+1-j, k)
      end do
    end do
  end subroutine update_halo

  subroutine calc_dt(x_min, x_max, y_min, y_max, celldx, soundspeed, xvel0, dt)
    integer :: x_min, x_max, y_min, y_max, j, k
    real(kind=8), dimension(x_min-2:x_max+2) :: celldx
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: soundspeed
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+3) :: xvel0
    real(kind=8), intent(out) :: dt
    real(kind=8) :: cc, dtct
    dt = 1.0e+21_8
    do k = y_min, y_max
      do j = x_min, x_max
        cc = soundspeed(j,k)*soundspeed(j,k)
        cc = max(sqrt(cc), 1.0e-16_8)
        dtct = 0.7_8*celldx(j)/(cc + abs(xvel0(j,k)))
        dt = min(dt, dtct)
      end do
    end do
  end subroutine calc_dt

  subroutine field_summary(x_min, x_max, y_min, y_max, volume, density0, energy0, xvel0, yvel0, mass, ie, ke)
    integer :: x_min, x_max, y_min, y_max, j, k, jv, kv
    real(kind=8), dimension(x_min-2:x_max+2, y_min-2:y_max+2) :: volume, density0, energy0
    real(kind=8), dimension(x_min-2:x_max+3, y_min-2:y_max+3) :: xvel0, yvel0
    real(kind=8) :: mass, ie, ke, vsqrd, cell_mass
    mass = 0.0
    ie = 0.0
    ke = 0.0
    do k = y_min, y_max
      do j = x_min, x_max
        vsqrd = 0.0
        do kv = k, k + 1
          do jv = j, j + 1
            vsqrd = vsqrd + 0.25*(xvel0(jv,kv)**2 + yvel0(jv,kv)**2)
          end do
        end do
        cell_mass = volume(j,k)*density0(j,k)
        mass = mass + cell_mass
        ie = ie + cell_mass*energy0(j,k)
        ke = ke + cell_mass*0.5*vsqrd
      end do
    end do
  end subroutine field_summary
end module hydro_kernels

program clover
  use ideal_gas_module
  use hydro_kernels
  implicit none
  integer, parameter :: nx = 10, ny = 8, x_min = 1, x_max = nx, y_min = 1, y_max = ny
  real(kind=8), allocatable, dimension(:,:) :: density0, density1, energy0, energy1, pressure, viscosity, soundspeed
  real(kind=8), allocatable, dimension(:,:) :: volume, xarea, yarea, vol_flux_x, vol_flux_y, mass_flux_x
  real(kind=8), allocatable, dimension(:,:) :: xvel0, yvel0, xvel1, yvel1, work1, work2, work3
  real(kind=8), allocatable, dimension(:) :: celldx, celldy, vertexdx
  real(kind=8) :: dt, mass, ie, ke
  integer :: step
  allocate(density0(-1:nx+2,-1:ny+2), density1(-1:nx+2,-1:ny+2), energy0(-1:nx+2,-1:ny+2), energy1(-1:nx+2,-1:ny+2))
  allocate(pressure(-1:nx+2,-1:ny+2), viscosity(-1:nx+2,-1:ny+2), soundspeed(-1:nx+2,-1:ny+2), volume(-1:nx+2,-1:ny+2))
  allocate(xarea(-1:nx+3,-1:ny+2), yarea(-1:nx+2,-1:ny+3), vol_flux_x(-1:nx+3,-1:ny+2), vol_flux_y(-1:nx+2,-1:ny+3))
  allocate(mass_flux_x(-1:nx+3,-1:ny+2), xvel0(-1:nx+3,-1:ny+3), yvel0(-1:nx+3,-1:ny+3), xvel1(-1:nx+3,-1:ny+3))
  allocate(yvel1(-1:nx+3,-1:ny+3), work1(-1:nx+3,-1:ny+3), work2(-1:nx+3,-1:ny+3), work3(-1:nx+3,-1:ny+3))
  allocate(celldx(-1:nx+2), celldy(-1:ny+2), vertexdx(-1:nx+3))
  celldx = 1.0_8
  celldy = 1.0_8
  vertexdx = 1.0_8
  volume = 1.0_8
  xarea = 1.0_8
  yarea = 1.0_8
  density0 = 0.2_8
  energy0 = 1.0_8
  density0(-1:4,-1:3) = 1.0_8
  energy0(-1:4,-1:3) = 2.5_8
  xvel0 = 0.0_8
  yvel0 = 0.0_8
  vol_flux_x = 0.0_8
  vol_flux_y = 0.0_8
  mass_flux_x = 0.0_8
  density1 = density0
  energy1 = energy0
  dt = 0.01_8
  do step = 1, 2
    call ideal_gas(x_min, x_max, y_min, y_max, density0, energy0, pressure, soundspeed)
    call update_halo(x_min, x_max, y_min, y_max, pressure, 2)
    call viscosity_kernel(x_min, x_max, y_min, y_max, celldx, celldy, density0, pressure, viscosity, xvel0, yvel0)
    call update_halo(x_min, x_max, y_min, y_max, viscosity, 1)
    call calc_dt(x_min, x_max, y_min, y_max, celldx, soundspeed, xvel0, dt)
    dt = min(dt, 0.04_8)
    call accelerate_kernel(x_min, x_max, y_min, y_max, dt, xarea, yarea, volume, density0, pressure, viscosity, &
                           xvel0, yvel0, xvel1, yvel1)
    call flux_calc_kernel(x_min, x_max, y_min, y_max, dt, xarea, yarea, xvel0, yvel0, xvel1, yvel1, vol_flux_x, vol_flux_y)
    call pdv_kernel(.true., x_min, x_max, y_min, y_max, volume, density0, density1, energy0, energy1, pressure, &
                    viscosity, vol_flux_x, vol_flux_y)
    call pdv_kernel(.false., x_min, x_max, y_min, y_max, volume, density0, density1, energy0, energy1, pressure, &
                    viscosity, vol_flux_x, vol_flux_y)
    call update_halo(x_min, x_max, y_min, y_max, density1, 2)
    call update_halo(x_min, x_max, y_min, y_max, energy1, 2)
    call advec_cell_x(x_min, x_max, y_min, y_max, vertexdx, volume, density1, energy1, vol_flux_x, mass_flux_x, &
                      work1, work2, work3)
    density0 = density1
    energy0 = energy1
    xvel0(x_min:x_max+1, y_min:y_max+1) = xvel1(x_min:x_max+1, y_min:y_max+1)
    yvel0(x_min:x_max+1, y_min:y_max+1) = yvel1(x_min:x_max+1, y_min:y_max+1)
  end do
  call field_summary(x_min, x_max, y_min, y_max, volume, density0, energy0, xvel0, yvel0, mass, ie, ke)
  print *, mass, ie, ke, dt
end program clover
