#!/usr/bin/env bash
# Builds and runs the codes on a computer with 16 cores and a GPU; writes shares.csv here.
set -euo pipefail
cd "$(dirname "$0")"; sources=../../../src/foretell/uses/recorded/split
echo "code,share,items,both_ms,cpu_ms,gpu_ms" > shares.csv
for code in saxpy stencil nbody spmv matmul options; do
  gcc -O3 -march=native -fopenmp -c -o "$code.o" "$sources/$code.c"
  nvcc -std=c++17 -O3 -arch=sm_90 -lineinfo -Xcompiler -fopenmp -o "$code.bin" "$code.cu" "$code.o"
  OMP_NUM_THREADS=16 OMP_PROC_BIND=close OMP_PLACES=cores "./$code.bin" >> shares.csv
done
