C     Spectral-element operator in the style of F77 production codes:
C     tensor products with small dense matrices, geometric factors in
C     COMMON, gather-scatter over shared nodes, conjugate gradients.
      PROGRAM SPECTR
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LELT=4)
      PARAMETER (LXYZ=LX1*LY1*LZ1, LT=LXYZ*LELT)
      COMMON /DXYZ/ DXM1(LX1,LX1), DXTM1(LX1,LX1), WX(LX1)
      COMMON /GFACT/ G(6,LXYZ,LELT)
      COMMON /NODES/ NGLOB, IGLO(LT)
      COMMON /SOLVE/ U(LT), W(LT), R(LT), P(LT), F(LT), RMULT(LT)
      INTEGER IT
      CALL SETDX
      CALL SETG
      CALL SETIDS
      CALL RZERO(U, LT)
      DO 10 I = 1, LT
        F(I) = 1.0D0 + 0.01D0*MOD(I,7)
   10 CONTINUE
      CALL DSSUM(F)
      CALL COL2(F, RMULT, LT)
      CALL COPY(R, F, LT)
      RTZ1 = 1.0D0
      DO 20 IT = 1, 4
        RTZ2 = RTZ1
        RTZ1 = GLSC3(R, RMULT, R, LT)
        BETA = RTZ1/RTZ2
        IF (IT .EQ. 1) BETA = 0.0D0
        CALL ADD2S1(P, R, BETA, LT)
        CALL AX(W, P)
        PAP = GLSC3(W, RMULT, P, LT)
        ALPHA = RTZ1/PAP
        CALL ADD2S2(U, P, ALPHA, LT)
        CALL ADD2S2(R, W, -ALPHA, LT)
   20 CONTINUE
      PRINT *, RTZ1, PAP, U(LT/2), GLMAX(U, LT)
      END
C-----------------------------------------------------------------------
      SUBROUTINE SETDX
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5)
      COMMON /DXYZ/ DXM1(LX1,LX1), DXTM1(LX1,LX1), WX(LX1)
      DO 20 J = 1, LX1
        WX(J) = 2.0D0/LX1
        DO 10 I = 1, LX1
          IF (I .NE. J) THEN
            DXM1(I,J) = 1.0D0/(I-J)
          ELSE
            DXM1(I,J) = 0.1D0*I
          ENDIF
   10   CONTINUE
   20 CONTINUE
      DO 30 J = 1, LX1
      DO 30 I = 1, LX1
        DXTM1(I,J) = DXM1(J,I)
   30 CONTINUE
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE SETG
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LELT=4, LXYZ=LX1*LY1*LZ1)
      COMMON /DXYZ/ DXM1(LX1,LX1), DXTM1(LX1,LX1), WX(LX1)
      COMMON /GFACT/ G(6,LXYZ,LELT)
      DO 30 IE = 1, LELT
        L = 0
        DO 20 IZ = 1, LZ1
        DO 20 IY = 1, LY1
        DO 20 IX = 1, LX1
          L = L + 1
          DO 10 M = 1, 6
            G(M,L,IE) = 0.0D0
   10     CONTINUE
          G(1,L,IE) = WX(IX)*WX(IY)*WX(IZ)
          G(4,L,IE) = WX(IX)*WX(IY)*WX(IZ)
          G(6,L,IE) = WX(IX)*WX(IY)*WX(IZ)
   20   CONTINUE
   30 CONTINUE
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE SETIDS
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LELT=4)
      PARAMETER (LXYZ=LX1*LY1*LZ1, LT=LXYZ*LELT)
      COMMON /NODES/ NGLOB, IGLO(LT)
      COMMON /SOLVE/ U(LT), W(LT), R(LT), P(LT), F(LT), RMULT(LT)
      N = 0
      NXG = LELT*(LX1-1) + 1
      DO 40 IE = 1, LELT
        DO 40 K = 1, LZ1
          DO 40 J = 1, LY1
            DO 40 I = 1, LX1
              N = N + 1
              IGLO(N) = (IE-1)*(LX1-1) + I + NXG*(J-1 + LY1*(K-1))
   40 CONTINUE
      NGLOB = NXG*LY1*LZ1
      DO 50 I = 1, LT
   50   RMULT(I) = 1.0D0
      CALL DSSUM(RMULT)
      DO 60 I = 1, LT
   60   RMULT(I) = 1.0D0/RMULT(I)
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE AX(W, U)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LELT=4)
      PARAMETER (LXYZ=LX1*LY1*LZ1)
      COMMON /GFACT/ G(6,LXYZ,LELT)
      DIMENSION W(LXYZ,LELT), U(LXYZ,LELT)
      DIMENSION UR(LXYZ), US(LXYZ), UT(LXYZ), TMP(LXYZ)
      N = LX1*LY1*LZ1*LELT
      DO 30 IE = 1, LELT
        CALL LGRAD3(UR, US, UT, U(1,IE))
        DO 10 I = 1, LXYZ
          WR = G(1,I,IE)*UR(I) + G(2,I,IE)*US(I) + G(3,I,IE)*UT(I)
          WS = G(2,I,IE)*UR(I) + G(4,I,IE)*US(I) + G(5,I,IE)*UT(I)
          WT = G(3,I,IE)*UR(I) + G(5,I,IE)*US(I) + G(6,I,IE)*UT(I)
          UR(I) = WR
          US(I) = WS
          UT(I) = WT
   10   CONTINUE
        CALL LGRD3T(W(1,IE), UR, US, UT, TMP)
   30 CONTINUE
      CALL DSSUM(W)
      CALL ADD2S2(W, U, 0.1D0, N)
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE LGRAD3(UR, US, UT, U)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LXYZ=LX1*LY1*LZ1)
      COMMON /DXYZ/ DXM1(LX1,LX1), DXTM1(LX1,LX1), WX(LX1)
      DIMENSION UR(LX1,LY1,LZ1), US(LX1,LY1,LZ1), UT(LX1,LY1,LZ1)
      DIMENSION U(LX1,LY1,LZ1)
      M1 = LX1
      M2 = LX1*LX1
      CALL MXM(DXM1, M1, U, M1, UR, M2)
      DO 10 K = 1, LZ1
        CALL MXM(U(1,1,K), M1, DXTM1, M1, US(1,1,K), M1)
   10 CONTINUE
      CALL MXM(U, M2, DXTM1, M1, UT, M1)
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE LGRD3T(U, UR, US, UT, W)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LXYZ=LX1*LY1*LZ1)
      COMMON /DXYZ/ DXM1(LX1,LX1), DXTM1(LX1,LX1), WX(LX1)
      DIMENSION U(LXYZ), W(LXYZ)
      DIMENSION UR(LX1,LY1,LZ1), US(LX1,LY1,LZ1), UT(LX1,LY1,LZ1)
      M1 = LX1
      M2 = LX1*LX1
      CALL MXM(DXTM1, M1, UR, M1, U, M2)
      DO 10 K = 1, LZ1
        CALL MXM(US(1,1,K), M1, DXM1, M1, W(1+(K-1)*M2), M1)
   10 CONTINUE
      CALL ADD2(U, W, LXYZ)
      CALL MXM(UT, M2, DXM1, M1, W, M1)
      CALL ADD2(U, W, LXYZ)
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE MXM(A, N1, B, N2, C, N3)
C     C = A*B, N1 by N2 times N2 by N3
      INTEGER N1, N2, N3, I, J, K
      REAL*8 A(N1,N2), B(N2,N3), C(N1,N3)
      DO 30 J = 1, N3
        DO 10 I = 1, N1
          C(I,J) = 0.0D0
   10   CONTINUE
        DO 30 K = 1, N2
          DO 20 I = 1, N1
            C(I,J) = C(I,J) + A(I,K)*B(K,J)
   20     CONTINUE
   30 CONTINUE
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE DSSUM(U)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (LX1=5, LY1=5, LZ1=5, LELT=4)
      PARAMETER (LXYZ=LX1*LY1*LZ1, LT=LXYZ*LELT)
      COMMON /NODES/ NGLOB, IGLO(LT)
      DIMENSION U(LT), V(LT)
      DO 10 I = 1, NGLOB
   10 V(I) = 0.0D0
      DO 20 I = 1, LT
   20 V(IGLO(I)) = V(IGLO(I)) + U(I)
      DO 30 I = 1, LT
   30 U(I) = V(IGLO(I))
      RETURN
      END
C-----------------------------------------------------------------------
      SUBROUTINE RZERO(A, N)
      REAL*8 A(*)
      DO 100 I = 1, N
  100 A(I) = 0.0D0
      RETURN
      END
      SUBROUTINE COPY(A, B, N)
      REAL*8 A(*), B(*)
      DO 100 I = 1, N
  100 A(I) = B(I)
      RETURN
      END
      SUBROUTINE COL2(A, B, N)
      REAL*8 A(*), B(*)
      DO 100 I = 1, N
        A(I) = A(I)*B(I)
  100 CONTINUE
      RETURN
      END
      SUBROUTINE ADD2(A, B, N)
      REAL*8 A(*), B(*)
      DO 100 I = 1, N
        A(I) = A(I) + B(I)
  100 CONTINUE
      RETURN
      END
      SUBROUTINE ADD2S1(A, B, C1, N)
      REAL*8 A(*), B(*), C1
      DO 100 I = 1, N
        A(I) = C1*A(I) + B(I)
  100 CONTINUE
      RETURN
      END
      SUBROUTINE ADD2S2(A, B, C1, N)
      REAL*8 A(*), B(*), C1
      DO 100 I = 1, N
        A(I) = A(I) + C1*B(I)
  100 CONTINUE
      RETURN
      END
      REAL*8 FUNCTION GLSC3(A, B, MULT, N)
      REAL*8 A(*), B(*), MULT(*), TMP
      TMP = 0.0D0
      DO 10 I = 1, N
        TMP = TMP + A(I)*B(I)*MULT(I)
   10 CONTINUE
      GLSC3 = TMP
      RETURN
      END
      REAL*8 FUNCTION GLMAX(A, N)
      REAL*8 A(*), TMAX
      TMAX = -99.0D20
      DO 100 I = 1, N
        TMAX = MAX(TMAX, A(I))
  100 CONTINUE
      GLMAX = TMAX
      RETURN
      END
