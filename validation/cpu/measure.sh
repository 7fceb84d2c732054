#!/bin/sh
# Probes this machine and measures the shipped kernels with each compiler, into a folder of its own:
#
#   validation/cpu/measure.sh FOLDER [COMPILER...]        (default: gcc and clang; any command that compiles C)
#
# Takes 2 to 3 minutes for the probe and 4 to 6 for each compiler: two rounds, and then up to 120 s for cases that were
# disturbed. A step that is there already is not done again: remove machine.toml, or run once more to add rounds to the
# measurements (FLAGS, SECONDS_EACH, ROUNDS and PATIENCE are read from the environment). Predictions are made at the end of
# each compiler, and anywhere by `foretell validate FOLDER/gcc.toml`.
set -eu
folder=$1
shift
[ $# -gt 0 ] || set -- gcc clang
mkdir -p "$folder"
cd "$folder"
[ -f machine.toml ] || foretell machines probe -o machine.toml
for compiler in "$@"; do
  name=$(printf %s "$compiler" | tr -c 'A-Za-z0-9+\n-' -)
  foretell validate cpu --on machine.toml --compiler "$compiler" --flags "${FLAGS:--O3 -march=native}" \
    --seconds "${SECONDS_EACH:-0.05}" --rounds "${ROUNDS:-2}" --patience "${PATIENCE:-120}" --record "$name.toml" --format json > "$name.json"
done
