C     Triangular nests and downward DO loops in F77: LU and solves.
      PROGRAM TRI
      INTEGER N
      PARAMETER (N=10)
      REAL*8 A(N,N), B(N), S
      INTEGER I, J, K
      DO 20 J = 1, N
        B(J) = 1.0D0 + J
        DO 10 I = 1, N
          A(I,J) = 1.0D0/(I+J)
   10   CONTINUE
        A(J,J) = A(J,J) + 4.0D0
   20 CONTINUE
      DO 50 K = 1, N-1
        DO 30 I = K+1, N
   30     A(I,K) = A(I,K)/A(K,K)
        DO 50 J = K+1, N
          DO 40 I = K+1, N
            A(I,J) = A(I,J) - A(I,K)*A(K,J)
   40     CONTINUE
   50 CONTINUE
      DO 70 I = 2, N
        S = B(I)
        DO 60 J = 1, I-1
          S = S - A(I,J)*B(J)
   60   CONTINUE
   70   B(I) = S
      DO 90 I = N, 1, -1
        DO 80 J = I+1, N
          B(I) = B(I) - A(I,J)*B(J)
   80   CONTINUE
        B(I) = B(I)/A(I,I)
   90 CONTINUE
      WRITE(*,*) B(1), B(N)
      END
