"""Fortran text: source form, preprocessor, statements, program units, syntax trees."""
