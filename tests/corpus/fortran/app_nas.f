c---------------------------------------------------------------------
c  Five-component implicit solver pieces and a conjugate gradient with
c  compressed rows, in the manner of F77 benchmark codes.
c---------------------------------------------------------------------
      program nas
      implicit none
      integer imax, jmax, kmax, na, nzmax
      parameter (imax=7, jmax=6, kmax=5, na=24, nzmax=5*na)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      double precision a(nzmax), x(na), z(na), p(na), q(na), r(na)
      integer colidx(nzmax), rowstr(na+1)
      common /sparse/ a, x, z, p, q, r, colidx, rowstr
      double precision rnorm, zeta, norm
      integer it, i
      call initialize
      call exact_rhs
      do it = 1, 2
        call compute_rhs
        call x_solve
        call y_line
        call add
      enddo
      call error_norm(norm)
      call makea
      do i = 1, na
        x(i) = 1.0d0
      enddo
      zeta = 0.0d0
      do it = 1, 2
        call conj_grad(rnorm)
        call normalise(zeta)
      enddo
      print *, norm, rnorm, zeta, u(3,3,3,3)
      end

      subroutine initialize
      implicit none
      integer imax, jmax, kmax, i, j, k, m
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      double precision xi, eta, zeta
      do k = 1, kmax
        zeta = dble(k-1)/(kmax-1)
        do j = 1, jmax
          eta = dble(j-1)/(jmax-1)
          do i = 1, imax
            xi = dble(i-1)/(imax-1)
            u(1,i,j,k) = 1.0d0 + 0.1d0*xi*eta
            do m = 2, 4
              u(m,i,j,k) = 0.1d0*m*(xi + zeta)
            enddo
            u(5,i,j,k) = 2.0d0 + xi*eta*zeta
          enddo
        enddo
      enddo
      return
      end

      subroutine exact_rhs
      implicit none
      integer imax, jmax, kmax, i, j, k, m
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      do 10 k = 1, kmax
        do 10 j = 1, jmax
          do 10 i = 1, imax
            do 10 m = 1, 5
              forcing(m,i,j,k) = 0.01d0*m
 10   continue
      return
      end

      subroutine compute_rhs
      implicit none
      integer imax, jmax, kmax, i, j, k, m
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      double precision rho_inv, uijk, up1, um1, dssp, tx2, dx1tx1
      parameter (dssp=0.25d0, tx2=0.5d0, dx1tx1=0.75d0)
      do k = 1, kmax
        do j = 1, jmax
          do i = 1, imax
            rho_inv = 1.0d0/u(1,i,j,k)
            rho_i(i,j,k) = rho_inv
            us(i,j,k) = u(2,i,j,k)*rho_inv
            square(i,j,k) = 0.5d0*(u(2,i,j,k)*u(2,i,j,k)
     >           + u(3,i,j,k)*u(3,i,j,k)
     >           + u(4,i,j,k)*u(4,i,j,k))*rho_inv
            qs(i,j,k) = square(i,j,k)*rho_inv
          enddo
        enddo
      enddo
      do k = 1, kmax
        do j = 1, jmax
          do i = 1, imax
            do m = 1, 5
              rhs(m,i,j,k) = forcing(m,i,j,k)
            enddo
          enddo
        enddo
      enddo
      do k = 2, kmax-1
        do j = 2, jmax-1
          do i = 2, imax-1
            uijk = us(i,j,k)
            up1 = us(i+1,j,k)
            um1 = us(i-1,j,k)
            rhs(1,i,j,k) = rhs(1,i,j,k) + dx1tx1*(u(1,i+1,j,k)
     >        - 2.0d0*u(1,i,j,k) + u(1,i-1,j,k))
     >        - tx2*(u(2,i+1,j,k) - u(2,i-1,j,k))
            rhs(2,i,j,k) = rhs(2,i,j,k) + dx1tx1*(u(2,i+1,j,k)
     >        - 2.0d0*u(2,i,j,k) + u(2,i-1,j,k))
     >        + 0.1d0*(up1 - 2.0d0*uijk + um1)
     >        - tx2*(u(2,i+1,j,k)*up1 - u(2,i-1,j,k)*um1
     >        + (u(5,i+1,j,k) - square(i+1,j,k)
     >        - u(5,i-1,j,k) + square(i-1,j,k))*0.4d0)
            rhs(5,i,j,k) = rhs(5,i,j,k) + 0.2d0*(qs(i+1,j,k)
     >        - 2.0d0*qs(i,j,k) + qs(i-1,j,k))
     >        + 0.3d0*(up1*up1 - 2.0d0*uijk*uijk + um1*um1)
          enddo
        enddo
      enddo
c     fourth-order dissipation: boundary points apart from the interior
      do k = 2, kmax-1
        do j = 2, jmax-1
          i = 2
          do m = 1, 5
            rhs(m,i,j,k) = rhs(m,i,j,k) - dssp*(5.0d0*u(m,i,j,k)
     >        - 4.0d0*u(m,i+1,j,k) + u(m,i+2,j,k))
          enddo
          do i = 3, imax-2
            do m = 1, 5
              rhs(m,i,j,k) = rhs(m,i,j,k) - dssp*(u(m,i-2,j,k)
     >          - 4.0d0*u(m,i-1,j,k) + 6.0d0*u(m,i,j,k)
     >          - 4.0d0*u(m,i+1,j,k) + u(m,i+2,j,k))
            enddo
          enddo
          i = imax-1
          do m = 1, 5
            rhs(m,i,j,k) = rhs(m,i,j,k) - dssp*(u(m,i-2,j,k)
     >        - 4.0d0*u(m,i-1,j,k) + 5.0d0*u(m,i,j,k))
          enddo
        enddo
      enddo
      do k = 2, kmax-1
        do j = 2, jmax-1
          do i = 2, imax-1
            do m = 1, 5
              rhs(m,i,j,k) = rhs(m,i,j,k)*0.01d0
            enddo
          enddo
        enddo
      enddo
      return
      end

      subroutine x_solve
c     block-tridiagonal sweep: 5 by 5 blocks, forward and backward
      implicit none
      integer imax, jmax, kmax, i, j, k, m, n
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      double precision fjac(5,5,imax), lhs(5,5,3,imax), tmp1
      do k = 2, kmax-1
        do j = 2, jmax-1
          do i = 1, imax
            tmp1 = rho_i(i,j,k)
            do n = 1, 5
              do m = 1, 5
                fjac(m,n,i) = 0.01d0*tmp1*u(m,i,j,k)*u(n,i,j,k)
              enddo
            enddo
          enddo
          do i = 2, imax-1
            do n = 1, 5
              do m = 1, 5
                lhs(m,n,1,i) = -0.1d0*fjac(m,n,i-1)
                lhs(m,n,2,i) = 0.2d0*fjac(m,n,i)
                lhs(m,n,3,i) = 0.1d0*fjac(m,n,i+1)
              enddo
              lhs(n,n,2,i) = 1.0d0 + lhs(n,n,2,i)
            enddo
          enddo
          call binvrhs(lhs(1,1,2,2), lhs(1,1,3,2), rhs(1,2,j,k))
          do i = 3, imax-1
            call matvec_sub(lhs(1,1,1,i), rhs(1,i-1,j,k), rhs(1,i,j,k))
            call matmul_sub(lhs(1,1,1,i), lhs(1,1,3,i-1), lhs(1,1,2,i))
            call binvrhs(lhs(1,1,2,i), lhs(1,1,3,i), rhs(1,i,j,k))
          enddo
          do i = imax-2, 2, -1
            do m = 1, 5
              do n = 1, 5
                rhs(m,i,j,k) = rhs(m,i,j,k)
     >               - lhs(m,n,3,i)*rhs(n,i+1,j,k)
              enddo
            enddo
          enddo
        enddo
      enddo
      return
      end

      subroutine matvec_sub(ablock, avec, bvec)
      implicit none
      double precision ablock(5,5), avec(5), bvec(5)
      integer i
      do i = 1, 5
        bvec(i) = bvec(i) - ablock(i,1)*avec(1) - ablock(i,2)*avec(2)
     >    - ablock(i,3)*avec(3) - ablock(i,4)*avec(4)
     >    - ablock(i,5)*avec(5)
      enddo
      return
      end

      subroutine matmul_sub(ablock, bblock, cblock)
      implicit none
      double precision ablock(5,5), bblock(5,5), cblock(5,5)
      integer i, j
      do j = 1, 5
        do i = 1, 5
          cblock(i,j) = cblock(i,j) - ablock(i,1)*bblock(1,j)
     >      - ablock(i,2)*bblock(2,j) - ablock(i,3)*bblock(3,j)
     >      - ablock(i,4)*bblock(4,j) - ablock(i,5)*bblock(5,j)
        enddo
      enddo
      return
      end

      subroutine binvrhs(lhs, c, r)
      implicit none
      double precision lhs(5,5), c(5,5), r(5), pivot, coeff
      integer i, j, m
      do i = 1, 5
        pivot = 1.0d0/lhs(i,i)
        do j = i+1, 5
          lhs(i,j) = lhs(i,j)*pivot
        enddo
        do j = 1, 5
          c(i,j) = c(i,j)*pivot
        enddo
        r(i) = r(i)*pivot
        do m = 1, 5
          if (m .ne. i) then
            coeff = lhs(m,i)
            do j = i+1, 5
              lhs(m,j) = lhs(m,j) - coeff*lhs(i,j)
            enddo
            do j = 1, 5
              c(m,j) = c(m,j) - coeff*c(i,j)
            enddo
            r(m) = r(m) - coeff*r(i)
          endif
        enddo
      enddo
      return
      end

      subroutine y_line
c     scalar pentadiagonal elimination along y with a work array
      implicit none
      integer imax, jmax, kmax, i, j, k, m
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      double precision lhs(jmax,5), fac1
      integer j1, j2
      do k = 2, kmax-1
        do i = 2, imax-1
          do m = 1, 5
            do j = 1, jmax
              lhs(j,m) = 0.01d0*m
            enddo
          enddo
          do j = 1, jmax
            lhs(j,3) = 1.0d0 + 0.1d0*rho_i(i,j,k)
          enddo
          do j = 1, jmax-2
            j1 = j + 1
            j2 = j + 2
            fac1 = 1.d0/lhs(j,3)
            lhs(j,4) = fac1*lhs(j,4)
            lhs(j,5) = fac1*lhs(j,5)
            do m = 1, 3
              rhs(m,i,j,k) = fac1*rhs(m,i,j,k)
            enddo
            lhs(j1,3) = lhs(j1,3) - lhs(j1,2)*lhs(j,4)
            lhs(j1,4) = lhs(j1,4) - lhs(j1,2)*lhs(j,5)
            do m = 1, 3
              rhs(m,i,j1,k) = rhs(m,i,j1,k) - lhs(j1,2)*rhs(m,i,j,k)
            enddo
            lhs(j2,2) = lhs(j2,2) - lhs(j2,1)*lhs(j,4)
            lhs(j2,3) = lhs(j2,3) - lhs(j2,1)*lhs(j,5)
            do m = 1, 3
              rhs(m,i,j2,k) = rhs(m,i,j2,k) - lhs(j2,1)*rhs(m,i,j,k)
            enddo
          enddo
          do j = jmax-2, 1, -1
            j1 = j + 1
            j2 = j + 2
            do m = 1, 3
              rhs(m,i,j,k) = rhs(m,i,j,k) - lhs(j,4)*rhs(m,i,j1,k)
     >             - lhs(j,5)*rhs(m,i,j2,k)
            enddo
          enddo
        enddo
      enddo
      return
      end

      subroutine add
      implicit none
      integer imax, jmax, kmax, i, j, k, m
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      do k = 2, kmax-1
        do j = 2, jmax-1
          do i = 2, imax-1
            do m = 1, 5
              u(m,i,j,k) = u(m,i,j,k) + rhs(m,i,j,k)
            enddo
          enddo
        enddo
      enddo
      return
      end

      subroutine error_norm(norm)
      implicit none
      integer imax, jmax, kmax, i, j, k, m
      parameter (imax=7, jmax=6, kmax=5)
      double precision u(5,imax,jmax,kmax), rhs(5,imax,jmax,kmax)
      double precision forcing(5,imax,jmax,kmax)
      double precision rho_i(imax,jmax,kmax), us(imax,jmax,kmax)
      double precision square(imax,jmax,kmax), qs(imax,jmax,kmax)
      common /fields/ u, rhs, forcing, rho_i, us, square, qs
      double precision norm, rms(5), add
      do m = 1, 5
        rms(m) = 0.0d0
      enddo
      do k = 2, kmax-1
        do j = 2, jmax-1
          do i = 2, imax-1
            do m = 1, 5
              add = rhs(m,i,j,k)
              rms(m) = rms(m) + add*add
            enddo
          enddo
        enddo
      enddo
      norm = 0.0d0
      do m = 1, 5
        norm = norm + dsqrt(rms(m)/dble((kmax-2)*(jmax-2)*(imax-2)))
      enddo
      return
      end

      subroutine makea
      implicit none
      integer na, nzmax, i, j, nz
      parameter (na=24, nzmax=5*na)
      double precision a(nzmax), x(na), z(na), p(na), q(na), r(na)
      integer colidx(nzmax), rowstr(na+1)
      common /sparse/ a, x, z, p, q, r, colidx, rowstr
      nz = 1
      do i = 1, na
        rowstr(i) = nz
        do j = max(1,i-2), min(na,i+2)
          colidx(nz) = j
          if (j .eq. i) then
            a(nz) = 5.0d0
          else
            a(nz) = -1.0d0/iabs(i-j)
          endif
          nz = nz + 1
        enddo
      enddo
      rowstr(na+1) = nz
      return
      end

      subroutine conj_grad(rnorm)
      implicit none
      integer na, nzmax, j, k, cgit, cgitmax
      parameter (na=24, nzmax=5*na, cgitmax=6)
      double precision a(nzmax), x(na), z(na), p(na), q(na), r(na)
      integer colidx(nzmax), rowstr(na+1)
      common /sparse/ a, x, z, p, q, r, colidx, rowstr
      double precision rnorm, d, sum, rho, rho0, alpha, beta
      rho = 0.0d0
      do j = 1, na
        q(j) = 0.0d0
        z(j) = 0.0d0
        r(j) = x(j)
        p(j) = r(j)
      enddo
      do j = 1, na
        rho = rho + r(j)*r(j)
      enddo
      do cgit = 1, cgitmax
        do j = 1, na
          sum = 0.d0
          do k = rowstr(j), rowstr(j+1)-1
            sum = sum + a(k)*p(colidx(k))
          enddo
          q(j) = sum
        enddo
        d = 0.0d0
        do j = 1, na
          d = d + p(j)*q(j)
        enddo
        alpha = rho/d
        rho0 = rho
        rho = 0.0d0
        do j = 1, na
          z(j) = z(j) + alpha*p(j)
          r(j) = r(j) - alpha*q(j)
        enddo
        do j = 1, na
          rho = rho + r(j)*r(j)
        enddo
        beta = rho/rho0
        do j = 1, na
          p(j) = r(j) + beta*p(j)
        enddo
      enddo
      sum = 0.0d0
      do j = 1, na
        d = 0.d0
        do k = rowstr(j), rowstr(j+1)-1
          d = d + a(k)*z(colidx(k))
        enddo
        r(j) = d
      enddo
      do j = 1, na
        d = x(j) - r(j)
        sum = sum + d*d
      enddo
      rnorm = sqrt(sum)
      return
      end

      subroutine normalise(zeta)
      implicit none
      integer na, nzmax, j
      parameter (na=24, nzmax=5*na)
      double precision a(nzmax), x(na), z(na), p(na), q(na), r(na)
      integer colidx(nzmax), rowstr(na+1)
      common /sparse/ a, x, z, p, q, r, colidx, rowstr
      double precision zeta, norm1, norm2
      norm1 = 0.0d0
      norm2 = 0.0d0
      do j = 1, na
        norm1 = norm1 + x(j)*z(j)
        norm2 = norm2 + z(j)*z(j)
      enddo
      norm2 = 1.0d0/sqrt(norm2)
      do j = 1, na
        x(j) = norm2*z(j)
      enddo
      zeta = 10.0d0 + 1.0d0/norm1
      return
      end
