#ifndef SUITE_H
#define SUITE_H
#ifndef N
#define N 14
#endif
#ifndef M
#define M 11
#endif
#ifndef TSTEPS
#define TSTEPS 3
#endif
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#define ARRAY_2D(type, name, d1, d2, m, n) type name[d1][d2]
#define LOOP_BOUND(fixed, param) param
#define _N LOOP_BOUND(N, n)
#define _M LOOP_BOUND(M, m)
DATA_TYPE checksum(int n, int m, ARRAY_2D(DATA_TYPE, a, n, m, n, m));
#endif
