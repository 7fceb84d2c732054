#!/bin/sh
# The probe, and the kernels of this folder:  OUT=folder sh measure.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$OUT"
nvcc -O3 -std=c++17 -arch=sm_90 -o "$OUT/probe" "$here/../../../src/foretell/machines/probe/gpu_probe.cu"
"$OUT/probe" >"$OUT/probe.json"
rm "$OUT/probe"
KERNELS=tuning CASES=tuning/cases.toml NCU_SECONDS=30 sh "$here/../measure.sh"
