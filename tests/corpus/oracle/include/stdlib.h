#ifndef ORACLE_STDLIB_H
#define ORACLE_STDLIB_H
#include <stddef.h>
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
void exit(int);
int abs(int);
int atoi(const char *);
double atof(const char *);
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
