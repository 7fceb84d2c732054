/* For Fortran: compile this file with the program and use foretell.f90. */
#include "foretell.h"

void foretell_begin_c(const char *name) { FORETELL_BEGIN(name); }
void foretell_end_c(void) { FORETELL_END; }
