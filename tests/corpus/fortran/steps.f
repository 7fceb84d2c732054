C     Steps, zero-trip loops, an index used after its loop, computed
C     bounds, GO TO out of a loop, a loop made of IF and GO TO.
      PROGRAM STEPS
      INTEGER N, I, J, M
      PARAMETER (N=18)
      REAL A(N), B(N), S
      DO 10 I = 1, N
   10 A(I) = 0.5*I
      DO 20 I = N, 1, -3
        A(I) = A(I) + 1.0
   20 CONTINUE
      DO 30 I = 5, 4
        A(I) = -1.0
   30 CONTINUE
      M = 2*(N/3)
      DO 40 I = 1, M, 2
        B(I) = A(I)*A(I+1)
        B(I+1) = 0.0
   40 CONTINUE
      DO 45 J = I, N
   45   B(J) = A(J)
      S = 0.0
      DO 50 I = 1, N
        IF (A(I) .GT. 7.0) GO TO 60
        S = S + A(I)
   50 CONTINUE
   60 CONTINUE
      I = 1
   70 IF (I .GT. N) GOTO 80
      B(I) = B(I) - S
      I = I + 1
      GOTO 70
   80 CONTINUE
      PRINT *, A(18), B(5), S
      END
