"""Changes of data: layouts of arrays and the precision of numbers."""
