#ifndef FORETELL_WCHAR_H
#define FORETELL_WCHAR_H
#include <stddef.h>
typedef unsigned wint_t;
size_t wcslen(const wchar_t *);
#endif
