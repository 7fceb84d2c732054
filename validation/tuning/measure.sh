#!/bin/sh
# Measures the tuning spaces on the GPU that is here:  OUT=folder sh measure.sh [SPACE…]
# Leaves times.jsonl (one line a configuration, as ../h200/run.cu writes it) and about.txt in OUT.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
nvcc -O2 -std=c++17 -arch=sm_90 -o "$build/run" "$here/../h200/run.cu" &
python3 "$here/spaces.py" build "$build/cubins" "$@"
wait
nvcc --version | tail -2 >"$OUT/about.txt"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv >>"$OUT/about.txt"
cd "$build/cubins"
FEW=1 timeout "${RUN_SECONDS:-300}" "$build/run" cases.toml . >"$OUT/times.jsonl" || echo "run failed: $?"
wc -l "$OUT/times.jsonl"
rm -rf "$build"
