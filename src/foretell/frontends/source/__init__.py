"""C and Fortran programs: the statement IR that both lower to, and what is done on it before analysis."""
