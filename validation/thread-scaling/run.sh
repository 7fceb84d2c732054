#!/bin/sh
# Times and the machine file in one go, on the machine itself: sh run.sh FOLDER PYTHON PROGRAM [PROGRAM …]
# Each PROGRAM is blocks.c or further.c, compiled as compare.py says; PYTHON one that has foretell. The probe runs between
# two series of times, because other users' work on a shared machine changes within minutes. A series takes two minutes:
# in one minute, beside busy strangers, only seven times of a block counted. Seven minutes in all.
set -eu
here=$(dirname "$0") folder=$1 python=$2
shift 2
mkdir -p "$folder"
"$python" "$here/measure.py" "$folder/series-1.txt" 120 "$@"
"$python" -m foretell machines probe -o "$folder/machine.toml"
"$python" "$here/measure.py" "$folder/series-2.txt" 120 "$@"
