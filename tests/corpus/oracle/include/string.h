#ifndef ORACLE_STRING_H
#define ORACLE_STRING_H
#include <stddef.h>
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
#endif
