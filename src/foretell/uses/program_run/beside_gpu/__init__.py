"""CUDA programs recorded beside a GPU: the log that the recorder writes, packed into a capture."""
