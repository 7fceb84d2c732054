#!/bin/sh
# Probes this machine twice, one directly after the other, and says how many numbers agree within 5 %.
# Takes two times 2.6 minutes.
#   validation/reprobe.sh [FOLDER]       (FOLDER: where the two files go; here if not given)
set -e
to=${1:-.}
mkdir -p "$to"
foretell=${FORETELL:-foretell}
for number in 1 2; do
    echo "probe $number: $(date -u +%H:%M:%S), load $(cut -d' ' -f1 /proc/loadavg)"
    "$foretell" machines probe --output "$to/probe-$number.toml"
done
"$foretell" machines diff "$to/probe-1.toml" "$to/probe-2.toml" --within 5
