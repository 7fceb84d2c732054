#ifndef ORACLE_STDIO_H
#define ORACLE_STDIO_H
#include <stddef.h>
typedef struct oracle_file FILE;
extern FILE *stderr;
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
#endif
