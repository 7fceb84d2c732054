#!/bin/sh
# Measures the kernels of this folder on the machine that it runs on, beside the machine file of a probe there:
#
#   validation/cpu/styles/measure.sh MACHINE.toml RECORDING.toml [COMPILER]
#
# Run again, it adds rounds to the recording (of two times the shorter counts). Fortran kernels are taken where the
# compiler's family has a Fortran compiler here. FLAGS, SECONDS_EACH, ROUNDS and THREADS are read from the environment.
set -eu
machine=$(realpath "$1")
recording=$(realpath "$2")
compiler=${3:-gcc}
cd "$(dirname "$0")"
files=$(ls ./*.c)
command -v "$(printf %s "$compiler" | sed 's/clang/flang/;s/gcc/gfortran/')" > /dev/null && files="$files $(ls ./*.f90)"
# shellcheck disable=SC2086
foretell validate cpu $files --on "$machine" --compiler "$compiler" --flags "${FLAGS:--O3 -march=native}" \
  --threads "${THREADS:-1,2}" --seconds "${SECONDS_EACH:-0.05}" --rounds "${ROUNDS:-3}" --record "$recording" --format json
