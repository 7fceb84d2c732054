#!/bin/bash
# Compiles and times the product in four layouts and four levels of optimisation, every array written before:
#
#   OUT=FOLDER validation/cpu/product/measure.sh      about 100 s; FOLDER gets times.txt and the assembly
#
# Lines of times.txt: level, layout, n, variant, CPU, then what times.c prints. Two passes over all ways; before each way,
# the CPU that other tenants disturb least is chosen (QUIET: a program that lists CPUs, the best first; CPUS: those to choose from).
set -u
here=$(cd "$(dirname "$0")" && pwd)
include=${INCLUDE:-$here/../../../src/foretell/include}
work=$(mktemp -d)
layouts=(static vla rows flat)
flags() { case $1 in O2) echo "-O2";; O3) echo "-O3";; native) echo "-O3 -march=native";; Ofast) echo "-Ofast -march=native";; esac; }
for level in O2 O3 native Ofast; do
  for k in 0 1 2 3; do
    name=$level-${layouts[$k]}
    (gcc $(flags $level) -g -S -w -DLAYOUT=$k -o "$OUT/$name.s" "$here/product.c" &&
      gcc -O2 -w -DLAYOUT=$k -I"$include" -o "$work/$name" "$here/times.c" "$OUT/$name.s") &
  done
done
wait
best() { if [ -n "${QUIET:-}" ]; then "$QUIET" ${CPUS:-0} 2>> "$OUT/quiet.txt" | cut -d' ' -f1; else echo 0; fi; }
time_way() { # level layout n calls variant...
  local level=$1 layout=$2 n=$3 calls=$4 cpu; shift 4
  cpu=$(best)
  timeout 30 taskset -c "$cpu" "$work/$level-$layout" "$n" "$calls" "$@" | sed "s/^/$level $layout $n ${*:-plain} cpu$cpu /;s/block huge/block-huge/" >> "$OUT/times.txt"
}
for pass in 1 2; do
  for level in O2 O3 native; do
    for layout in "${layouts[@]}"; do
      time_way $level $layout 200 20
      time_way $level $layout 1000 $((4 - pass))
    done
  done
done
# what the rows by pointers cost: where they lie, and their pages
for pass in 1 2; do
  time_way O2 rows 1000 1 block
  time_way O2 rows 1000 1 block huge
  time_way O2 vla 1000 1 block huge
  for layout in "${layouts[@]}"; do
    time_way Ofast $layout 200 20
    time_way Ofast $layout 1000 1
  done
done
rm -rf "$work"
