#ifndef FIELD_H
#define FIELD_H
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
#ifndef N
#define N 12
#endif
typedef struct { int n; real *data; } field;
extern real scale;
extern real work[N][N];
field field_new(int n, real value);
void field_free(field *f);
void axpy(field *y, real a, const field *x);
real norm2(const field *f);
static inline real *cell(field *f, int i, int j) { return &f->data[i * f->n + j]; }
#endif
