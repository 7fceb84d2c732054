"""Loop nests → LLVM IR → assembly for a target CPU, and the instructions and loops of that assembly.

`ir` makes the IR and knows no target; `emit` optimises it for one and prints assembly; `assembly` reads any such
text, ours or a compiler's. llvmlite is imported only where code is made.
"""
