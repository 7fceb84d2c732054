c     7-point Jacobi sweep on a one-dimensional work array passed by
c     element, adjustable dimensions in the callee.
      program linear
      implicit double precision (a-h,o-z)
      parameter (n=7, m=n+2, mm=m*m, mt=m*m*m)
      dimension w(2*mt)
      do 5 i = 1, mt
        w(i) = 0.01d0*i
    5   w(mt+i) = 0.d0
      call flat(w(1), w(mt+1), n, m, mm)
      call shaped(w(mt+1), w(1), n, n, n)
      print *, w(mt/2), w(mt+mt/2)
      end
      subroutine flat(u, v, n, js, ks)
      implicit double precision (a-h,o-z)
      dimension u(*), v(*)
      do k = 1, n
        do j = 1, n
          do i = 1, n
            l = 1 + i + j*js + k*ks
            v(l) = (u(l-ks) + u(l-js) + u(l-1) + u(l+1) + u(l+js)
     +             + u(l+ks)) / 6.d0
          enddo
        enddo
      enddo
      end
      subroutine shaped(u, v, nx, ny, nz)
      integer nx, ny, nz, i, j, k
      double precision u(0:nx+1,0:ny+1,0:nz+1), v(0:nx+1,0:ny+1,0:nz+1)
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            v(i,j,k) = (u(i,j,k-1) + u(i,j-1,k) + u(i-1,j,k)
     &        + u(i+1,j,k) + u(i,j+1,k) + u(i,j,k+1)) / 6.d0
          end do
        end do
      end do
      end
