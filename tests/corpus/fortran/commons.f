C     COMMON blocks, DATA, BLOCK-wide parameters, statement function,
C     EXTERNAL function argument, 5-component arrays.
      SUBROUTINE SETUP
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      PARAMETER (N=6)
      COMMON /STATE/ Q(5,N,N), R(5,N,N)
      COMMON /PARS/ GAMMA, DT
      DO 10 J = 1, N
      DO 10 I = 1, N
      DO 10 M = 1, 5
        Q(M,I,J) = 1.0D0 + 0.1D0*M + 0.01D0*(I+J)
   10   R(M,I,J) = 0.0D0
      GAMMA = 1.4D0
      DT = 0.01D0
      END
      SUBROUTINE FLUX
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      PARAMETER (N=6)
      COMMON /STATE/ Q(5,N,N), R(5,N,N)
      COMMON /PARS/ GAMMA, DT
      PRES(RHO,XM,YM,E) = (GAMMA-1.0D0)*(E-0.5D0*(XM*XM+YM*YM)/RHO)
      DO 20 J = 2, N-1
        DO 20 I = 2, N-1
          P = PRES(Q(1,I,J), Q(2,I,J), Q(3,I,J), Q(5,I,J))
          U = Q(2,I,J)/Q(1,I,J)
          R(1,I,J) = Q(2,I+1,J) - Q(2,I-1,J)
          R(2,I,J) = Q(2,I,J)*U + P
          R(3,I,J) = Q(3,I,J)*U
          R(4,I,J) = Q(4,I,J)*U
          R(5,I,J) = U*(Q(5,I,J) + P)
   20 CONTINUE
      END
      DOUBLE PRECISION FUNCTION TOTAL(X, LEN)
      INTEGER LEN, L
      DOUBLE PRECISION X(LEN)
      TOTAL = 0.0D0
      DO 30 L = 1, LEN
   30 TOTAL = TOTAL + X(L)
      RETURN
      END
      PROGRAM MAIN
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      PARAMETER (N=6)
      COMMON /STATE/ Q(5,N,N), R(5,N,N)
      COMMON /PARS/ GAMMA, DT
      DIMENSION W(4)
      EXTERNAL TOTAL
      DATA W /1.0D0, 2.0D0, 2*0.5D0/
      CALL SETUP
      CALL FLUX
      DO 40 J = 2, N-1
        DO 40 I = 2, N-1
          DO 40 M = 1, 5
            Q(M,I,J) = Q(M,I,J) - DT*R(M,I,J)
   40 CONTINUE
      PRINT *, TOTAL(R, 5*N*N), TOTAL(W, 4), Q(5,3,3)
      END
