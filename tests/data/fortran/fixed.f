C     The classic shapes of FORTRAN 77.
      PROGRAM MAIN
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      PARAMETER (N=6, M=4)
      DIMENSION A(N,M), B(0:N)
      COMMON /BLK/ W(10), KOUNT
      DATA X, Y /1.5D0, 2.5D0/, LIM /3/
      SQ(T) = T*T + 1.0D0
      DO 20 J = 1, M
      DO 20 I = 1, N
         IF (MOD(I+J,2) .EQ. 0) GO TO 20
         A(I,J) = SQ(DBLE(I)) - J
   20 CONTINUE
      DO 30 I = 1, N
        DO 25 J = 1, M
          IF (I.EQ.2) GOTO 30
          IF (MOD(I+J,2) .EQ. 0) A(I,J) = -1.0D0
   25   CONTINUE
   30 CONTINUE
      A(2,2) = 0.5
      A(2,4) = 0.25
      DO 40 I=0,N
   40 B(I) = I*0.5D0
      S = 0
      DO 60 J=1,M
         DO 50 I=N,1,-2
   50    S = S + A(I,J)
   60 CONTINUE
      PRINT *, S, A(1,2), A(3,4), B(3), SQ(2D0), X,
     1         Y, LIM
      KOUNT = 0
      CALL WORK(A, N, M)
      PRINT *, W(1), W(2), KOUNT
      DO 100 K = -1, 1
         IF (K) 70, 80, 90
   70    PRINT *, 1
         GO TO 100
   80    PRINT *, 2
         GO TO 100
   90    PRINT *, 3
  100 CONTINUE
      I = 0
  110 I = I + 1
      IF (I .LT. 5) GO TO 110
      PRINT *, I
      DO 150 K = 1, 4
      GO TO (120, 130), K
      PRINT *, 30
      GO TO 140
  120 PRINT *, 10
      GO TO 140
  130 PRINT *, 20
  140 CONTINUE
  150 CONTINUE
      DO 160 R = 0.0D0, 1.0D0, 0.25D0
  160 S = S + R
      PRINT *, S, AMAX1(1.0, 2.0), MAX0(3, 2), DSQRT(4.0D0), 1.0 234 5E1
      END
      SUBROUTINE WORK(A, LDA, M)
      IMPLICIT REAL*8 (A-H,O-Z)
      DIMENSION A(LDA,*)
      COMMON /BLK/ W(10), KOUNT
      DO 10 J = 1, M
         DO 5 I = 1, LDA
            IF (A(I,J) .LT. 0) GOTO 10
            W(1) = W(1) + A(I,J)
            KOUNT = KOUNT + 1
    5    CONTINUE
         W(2) = W(2) + 1
   10 CONTINUE
      RETURN
      END
