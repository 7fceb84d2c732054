"""Arrays, their subscripts and the layout of structs."""
