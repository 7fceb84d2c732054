"""A whole call of compiled code, followed instruction by instruction: arguments, jumps on data, chains of loads."""
