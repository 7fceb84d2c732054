#pragma once
#include <stddef.h>
typedef unsigned wint_t;
size_t wcslen(const wchar_t *);
