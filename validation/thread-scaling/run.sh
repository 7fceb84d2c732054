#!/bin/sh
# Times and the machine file in one go, on the machine itself: sh run.sh PROGRAM FOLDER [PYTHON]
# PROGRAM is blocks.c, compiled as compare.py says; PYTHON one that has foretell. The probe runs between two series of
# times, because other users' work on a shared machine changes within minutes. Four minutes.
set -eu
here=$(dirname "$0")
python=${3:-python3}
mkdir -p "$2"
"$python" "$here/measure.py" "$1" "$2/times-1.json" 18
"$python" -m foretell machines probe -o "$2/machine.toml"
"$python" "$here/measure.py" "$1" "$2/times-2.json" 18
