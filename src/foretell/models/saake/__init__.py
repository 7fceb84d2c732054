"""SAAKE: abstract kernel emulation (Algorithm 1 of the paper), of abstract programs and of machine code."""
