"""What advice is worth: kernels like those of PolyBench, changed as `why --try` says, against gcc -O3."""
