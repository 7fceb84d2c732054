#!/bin/sh
# Results of the cases on the GPU that is here: OUT=FOLDER sh measure.sh CUBINS
set -u
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$OUT"
cd "$here"
nvidia-smi --query-gpu=name,driver_version --format=csv >"$OUT/about.txt" 2>&1
timeout 60 python3 device.py "$1" "$OUT/results" >"$OUT/log.txt" 2>&1
tail -5 "$OUT/log.txt"
