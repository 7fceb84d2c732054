"""Calls: the call graph, inlining, library functions, copies of memory."""
