"""Loop nests → LLVM IR → assembly for a target CPU, and the instructions and loops of that assembly.

`ir` generates target-independent IR; `emit` optimises it for a CPU and prints assembly; `assembly` parses any such
text, ours or a compiler's. llvmlite is imported only where code is generated.
"""
