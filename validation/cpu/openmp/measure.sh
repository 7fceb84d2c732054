#!/bin/sh
# Times the parallel loops on this machine: OUT=FOLDER measure.sh; about half a minute. FOLDER gets times.csv, times2.csv
# (a second series), loops.s (the compiler's assembly) and cpus.txt (one CPU of every core).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:?the folder for results}
cc=${CC:-gcc}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cc" -O3 -march=native -fopenmp -g1 -S -o "$out/loops.s" "$here/loops.c"
"$cc" -fopenmp -c -o "$work/loops.o" "$out/loops.s"
"$cc" -O2 -fopenmp -o "$work/measure" "$here/measure.c" "$work/loops.o"
cores=${CORES:-$here/../suite-styles/cores.c}
"$cc" -O2 -w -pthread -I"${INCLUDE:-$here/../../../src/foretell/include}" -o "$work/cores" "$cores"
cpus=$("$work/cores" | tr ',' ' ')
echo "$cpus" > "$out/cpus.txt"
# one CPU of every core first, then their other threads
others=$(for cpu in $(seq 0 $(($(nproc) - 1))); do case " $cpus " in *" $cpu "*) ;; *) echo "$cpu" ;; esac; done)
for series in times times2; do
  GOMP_CPU_AFFINITY="$cpus $(echo $others)" timeout 60 "$work/measure" "${SECONDS_EACH:-0.12}" > "$out/$series.csv" || true
done
"$cc" --version | head -1 > "$out/compiler.txt"
