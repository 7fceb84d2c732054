"""CUDA programs without a GPU: a stand-in library tells what they ask of CUDA; launches are executed and predicted."""
