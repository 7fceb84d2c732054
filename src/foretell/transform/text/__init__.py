"""Loops and statements as they stand in texts of C and Fortran."""
