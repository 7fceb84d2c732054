#!/bin/bash
# Measures the pairs of recorded/differences on the x86-64 CPU and the GPU that are here:  OUT=folder bash measure.sh PAIRS RUN_CU
# PAIRS: the folder with pairs.toml, c/, arm/ and cuda/; RUN_CU: validation/h200/run.cu. KIND=arm C_ONLY=1 measures those of an AArch64 CPU,
# KIND=emerald, granite, granite13 or xeon C_ONLY=1 those whose entries name their flags (two Emerald Rapids and a masked Xeon with gcc 12, that and
# another Xeon with gcc 13). GCC: the compiler of C and C++, GFORTRAN that of Fortran.
# NAMES: an extended regular expression of the C pairs that are measured; all.
# CLOCK=2.993e9: times are cycles at this clock. VISITS: how often all C pairs are run, into c-1.jsonl, c-2.jsonl, …
# Leaves in OUT: c-*.jsonl (three rounds of each C pair, each version at four places of a line), base-*.jsonl and head-*.jsonl (launches, in
# the order base, head, head, base), assembly/ (what gcc made), cubins/, about.txt.
here=$(cd "$(dirname "$0")" && pwd)
pairs=$(cd "$1" && pwd)
run_cu=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
out=${OUT:-$here/results}
build=$(mktemp -d)
mkdir -p "$out/assembly" "$out/cubins/base" "$out/cubins/head"
kind=${KIND:-c}
python3 "$here/harness.py" "$pairs" "$build" "$kind" "${CLOCK:-0}"
flags="-O3 -march=native" # of pairs that name none
gcc=${GCC:-gcc}
gfortran=${GFORTRAN:-gfortran}
export build pairs out flags kind gcc gfortran
names() { ls "$pairs/$kind" | sed -nE 's/\.base\.(c|cpp|f90)$//p' | grep -Ex "${NAMES:-.*}"; }
compile_c() {
    name=$1
    entry=$(grep -F -A3 "\"$kind/$name\"]" "$pairs/pairs.toml")
    function=$(sed -n 's/^function = "\(.*\)"/\1/p' <<<"$entry")
    own=$(sed -n 's/^flags = "\(.*\)"/\1/p' <<<"$entry")
    flags=${own:-$flags}
    for side in base head; do
        source=$(ls "$pairs/$kind/$name.$side".*)
        symbol=$function compiler=$gcc # gcc takes .cpp as C++
        [ "$source" = "${source%.f90}" ] || { symbol=${function}_ compiler=$gfortran; }
        "$compiler" $flags -g1 -S "$source" -o "$out/assembly/$name.$side.s"
        "$compiler" $flags -S "$source" -o "$build/$name.$side.s"
        for place in 0 1 2 3; do # the same code at each sixteenth byte of a line
            sed -e "0,/^\s*\.text$/s//\t.text\n\t.p2align 6\n\t.balign 64\n\t.org . + $((16 * place))/" \
                -e "s/\b$symbol\b/${function}_${side}_$place/g" "$build/$name.$side.s" >"$build/$name.$side.$place.s"
            gcc -c "$build/$name.$side.$place.s" -o "$build/$name.$side.$place.o"
        done
    done
    gcc -O1 "$build/$name.main.c" "$build/$name".*.o -lm -lstdc++ -o "$build/$name.run"
}
compile_cu() { nvcc -cubin -O3 -lineinfo -arch=sm_90 -o "$out/cubins/$2/$1.cubin" "$pairs/cuda/$1.$2.cu"; }
export -f compile_c compile_cu
if [ -z "$C_ONLY" ] && command -v nvcc >/dev/null; then
    (nvcc -O2 -std=c++17 -arch=sm_90 -o "$build/run" "$run_cu") &
    ls "$pairs"/cuda/*.base.cu | xargs -n1 basename -s .base.cu | xargs -P "$(nproc)" -I{} bash -c 'compile_cu {} base; compile_cu {} head'
fi
names | xargs -P "$(nproc)" -I{} bash -c 'compile_c {}'
wait
{
    "$gcc" --version | head -1
    "$gcc" $flags -Q --help=target | grep -E -- '-march=|-mtune='
    lscpu | head -25
    nvcc --version | tail -2
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv
} >"$out/about.txt" 2>&1
if [ -x "$build/run" ] && [ -z "$C_ONLY" ]; then
    for pass in base-1 head-1 head-2 base-2; do
        side=${pass%-*}
        timeout 45 taskset -c "${GPU_CPU:-9}" "$build/run" "$build/$side.toml" "$out/cubins/$side" >"$out/$pass.jsonl" || echo "run $pass: $?"
    done &
fi
any=$(ls "$build"/*.run | head -1)
alone=$(for _ in $(seq 20); do taskset -c "${CPU:-3}" "$any"; done | sort -g | head -1) # the least of 20: nobody has the core's other thread
for visit in $(seq "${VISITS:-1}"); do
    results=$out/c-$visit.jsonl
    names | while read -r name; do
        timeout 20 taskset -c "${CPU:-3}" "$build/$name.run" "$alone" >>"$results" || echo "$name: $?"
    done
done
wait
wc -l "$out"/*.jsonl
rm -rf "$build"
