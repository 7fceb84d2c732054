C     Branches and loops written with GOTO and arithmetic IF, error exits.
      PROGRAM GOTOS
      INTEGER N
      PARAMETER (N = 24)
      DOUBLE PRECISION X(N), Y(N,N)
      INTEGER INFO
      CALL FILL(X, Y, N)
      CALL SCALE2(X, Y, N)
      CALL PIVOT(Y, N, INFO)
      CALL ROWS(X, Y, N)
      CALL LAST(X, N)
      PRINT *, X(3), Y(4,5), X(N), INFO
      END
      SUBROUTINE FILL(X, Y, N)
      INTEGER N, I, J
      DOUBLE PRECISION X(N), Y(N,N)
      DO 40 J = 1, N
        X(J) = 0.1D0*J
        DO 30 I = 1, N
          IF (I - J) 10, 20, 10
   10     Y(I,J) = 1.0D0/(I + J)
          GO TO 30
   20     Y(I,J) = 5.0D0 + X(J)
   30   CONTINUE
   40 CONTINUE
      END
      SUBROUTINE SCALE2(X, Y, N)
      INTEGER N, I, J
      DOUBLE PRECISION X(N), Y(N,N)
      DO 50 J = 1, N
        DO 45 I = 1, N
          IF (I .LT. J) GO TO 20
            IF (I .EQ. J) GO TO 10
              Y(I,J) = Y(I,J)*0.5D0
              GO TO 15
   10       CONTINUE
              Y(I,J) = Y(I,J) + X(I)
   15     CONTINUE
          GO TO 40
   20     Y(I,J) = Y(I,J) - X(I)*X(J)
   40     X(I) = X(I) + 0.001D0
   45   CONTINUE
   50 CONTINUE
      END
      SUBROUTINE PIVOT(Y, N, INFO)
      INTEGER N, INFO, I, J, K
      DOUBLE PRECISION Y(N,N)
      INFO = 0
      DO 30 K = 1, N
        IF (ABS(Y(K,K)) .LT. 1.0D-20) THEN
          INFO = K
          RETURN
        END IF
        DO 20 J = K + 1, N
          IF (Y(K,J) .EQ. 0.0D0) GO TO 900
          DO 10 I = K + 1, N
            Y(I,J) = Y(I,J) - Y(I,K)*Y(K,J)/Y(K,K)
   10     CONTINUE
   20   CONTINUE
   30 CONTINUE
      RETURN
  900 INFO = -1
      PRINT *, 'zero', K
      END
      SUBROUTINE ROWS(X, Y, N)
      INTEGER N, J
      DOUBLE PRECISION X(N), Y(N,N)
      DO 10 J = 1, N
   10   X(J) = X(J) + Y(J,J)
      END
      SUBROUTINE LAST(X, N)
      INTEGER N, I
      DOUBLE PRECISION X(N)
      DO 20 I = 1, N
   20   X(I) = X(I)*2.0D0
      END
