#!/bin/bash
# usage: scratch/quiet.sh OUT ; about 100 s
out=$1; mkdir -p $out/asm; cd "$(dirname "$0")/.."
gcc --version | head -1 > $out/gcc.txt; gcc -march=native -Q --help=target >> $out/gcc.txt; gcc -O3 -march=native -### -S -x c /dev/null >> $out/gcc.txt 2>&1
lscpu > $out/lscpu.txt; cat /sys/devices/system/cpu/cpu*/topology/thread_siblings_list > $out/siblings.txt; cat /sys/kernel/mm/transparent_hugepage/enabled >> $out/siblings.txt
for k in src/foretell/uses/cpu/kernels/*.c; do b=$(basename $k .c); gcc -O3 -march=native -S $k -o $out/asm/$b.1.s; gcc -O3 -march=native -fopenmp -S $k -o $out/asm/$b.2.s; done
for w in 256 512; do gcc -O3 -march=native -mprefer-vector-width=$w scratch/mb.c -o /tmp/mb$w; done
gcc -O3 -march=native -fopenmp scratch/omp.c -o /tmp/omp
for r in 1 2 3; do for w in 256 512; do for o in "2240 2688" "0 0" "0 64" "64 0" "0 2048" "8 0"; do echo "width $w offsets $o"; taskset -c 3 /tmp/mb$w $o; done; done; done > $out/mb.txt 2>&1
for r in 1 2; do for t in 1 2 3 4 8 16; do OMP_NUM_THREADS=$t OMP_WAIT_POLICY=active OMP_DYNAMIC=false OMP_PROC_BIND=true timeout 20 /tmp/omp; done; done > $out/omp.txt 2>&1
