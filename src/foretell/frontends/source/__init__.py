"""C and Fortran programs: the statement IR that both lower to, and its transformations before analysis."""
