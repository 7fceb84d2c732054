#include <stddef.h>
#undef assert
/* An assertion costs nothing in the code that is measured: programs are built with NDEBUG. */
#define assert(condition) ((void)0)
#ifndef static_assert
#define static_assert _Static_assert
#endif
