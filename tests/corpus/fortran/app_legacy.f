C     Legacy F77 habits: arithmetic IF, computed GO TO, DO with real
C     work arrays carved from one big array, BLOCK DATA style setup,
C     tables in DATA, a hand-written FFT-like butterfly, Gauss-Seidel
C     with relaxation and a convergence GO TO loop.
      PROGRAM LEGACY
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      PARAMETER (NW=2000, NX=10, NY=9)
      COMMON /WORK/ W(NW)
      COMMON /SIZES/ IU, IF, IR, NXY
      NXY = NX*NY
      IU = 1
      IF = IU + NXY
      IR = IF + NXY
      CALL SETUP(W(IU), W(IF), NX, NY)
      CALL SOLVE(W(IU), W(IF), W(IR), NX, NY, RES, ITER)
      CALL TABLE(X0)
      CALL BFLY(W(1), 64)
      CALL MODES(3, S3)
      CALL MODES(1, S1)
      PRINT *, RES, X0, W(5), S3, S1
      END
      SUBROUTINE SETUP(U, F, NX, NY)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION U(NX,NY), F(NX,NY)
      DO 20 J = 1, NY
        DO 20 I = 1, NX
          U(I,J) = 0.D0
          IF (I-J) 5, 10, 15
    5     F(I,J) = -1.D0
          GO TO 20
   10     F(I,J) = 0.5D0*I
          GO TO 20
   15     F(I,J) = 1.D0 + 0.1D0*J
   20 CONTINUE
      RETURN
      END
      SUBROUTINE SOLVE(U, F, R, NX, NY, RES, ITER)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION U(NX,NY), F(NX,NY), R(NX,NY)
      OMEGA = 1.5D0
      ITER = 0
  100 CONTINUE
      ITER = ITER + 1
      DO 120 J = 2, NY-1
      DO 110 I = 2, NX-1
        T = 0.25D0*(U(I-1,J) + U(I+1,J) + U(I,J-1) + U(I,J+1) - F(I,J))
        U(I,J) = U(I,J) + OMEGA*(T - U(I,J))
  110 CONTINUE
  120 CONTINUE
      RES = 0.D0
      DO 140 J = 2, NY-1
        DO 130 I = 2, NX-1
          R(I,J) = F(I,J) + 4.D0*U(I,J) - U(I-1,J) - U(I+1,J)
     1             - U(I,J-1) - U(I,J+1)
          RES = RES + R(I,J)**2
  130   CONTINUE
  140 CONTINUE
      IF (ITER .LT. 4) GO TO 100
      RES = DSQRT(RES)
      RETURN
      END
      SUBROUTINE TABLE(X)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION C(8), T(8)
      DATA C /1.D0, -.5D0, .25D0, -.125D0, 4*0.0625D0/
      X = 0.D0
      DO 10 N = 8, 1, -1
        X = X*0.3D0 + C(N)
   10 CONTINUE
      T(1) = 1.D0
      T(2) = 0.3D0
      DO 20 N = 3, 8
   20 T(N) = 2.D0*0.3D0*T(N-1) - T(N-2)
      DO 30 N = 1, 8
   30 X = X + C(N)*T(N)
      RETURN
      END
      SUBROUTINE BFLY(A, N)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION A(N)
      M = N/2
      DO 10 I = 1, M
        T = A(I) - A(I+M)
        A(I) = A(I) + A(I+M)
        A(I+M) = T*0.7071D0
   10 CONTINUE
      DO 20 I = 1, N, 4
        T = A(I)
        A(I) = A(I) + A(I+2)
        A(I+2) = T - A(I+2)
   20 CONTINUE
      RETURN
      END
      SUBROUTINE MODES(K, S)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION V(20)
      DO 5 I = 1, 20
    5 V(I) = I
      S = 0.D0
      GO TO (10, 20, 30), K
   10 DO 15 I = 1, 20
   15 S = S + V(I)
      RETURN
   20 DO 25 I = 1, 20
   25 S = S + V(I)*V(I)
      RETURN
   30 DO 35 I = 1, 20
        IF (MOD(I,3) .EQ. 0) S = S + V(I)/3.D0
   35 CONTINUE
      RETURN
      END
