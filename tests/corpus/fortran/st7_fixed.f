C     7-point Jacobi sweep, fixed form, labelled and shared-label DO,
C     arrays in COMMON.
      PROGRAM ST7
      INTEGER NX, NY, NZ
      PARAMETER (NX=8, NY=7, NZ=6)
      DOUBLE PRECISION U(0:NX+1,0:NY+1,0:NZ+1)
      DOUBLE PRECISION UN(0:NX+1,0:NY+1,0:NZ+1)
      COMMON /FIELDS/ U, UN
      INTEGER I, J, K
      DO 10 K = 0, NZ+1
      DO 10 J = 0, NY+1
      DO 10 I = 0, NX+1
         U(I,J,K) = DBLE(I) + 0.5D0*J
     &              - 0.25D0*K
         UN(I,J,K) = 0.0D0
   10 CONTINUE
      CALL SWEEP
      PRINT *, UN(1,1,1), UN(NX,NY,NZ)
      END

      SUBROUTINE SWEEP
      INTEGER NX, NY, NZ
      PARAMETER (NX=8, NY=7, NZ=6)
      DOUBLE PRECISION U(0:NX+1,0:NY+1,0:NZ+1)
      DOUBLE PRECISION UN(0:NX+1,0:NY+1,0:NZ+1)
      COMMON /FIELDS/ U, UN
      INTEGER I, J, K
      DO 30 K = 1, NZ
        DO 20 J = 1, NY
          DO 20 I = 1, NX
   20       UN(I,J,K) = (U(I,J,K-1) + U(I,J-1,K) + U(I-1,J,K)
     &        + U(I+1,J,K) + U(I,J+1,K) + U(I,J,K+1)) / 6.0D0
   30 CONTINUE
      RETURN
      END
