"""GPU code: machine code with its launch, CUDA sources, abstract programs."""
