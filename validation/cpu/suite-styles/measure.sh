#!/bin/sh
# Probes this machine and measures the suite `styles` with gcc, without a network and without the package installed:
#
#   OUT=FOLDER validation/cpu/suite-styles/measure.sh [NANOBIND]      from the root of the tree; about 9 minutes
#
# Needs python3 with numpy and its headers, g++ and gcc. NANOBIND is a copy of the folder of the Python package nanobind
# (its include, src and ext), where python3 has none: only the parts of the core that the probe needs are compiled, by g++. FOLDER
# gets machine.toml, gcc-O3.toml, gcc-O2.toml and gcc-Ofast.toml for `foretell validate`, and the compiler's assembly of every
# source. SECONDS_ALL (520) is the time of everything, COMPILER (gcc) the compiler.
set -eu
begun=$(date +%s)
root=$(cd "$(dirname "$0")/../../.." && pwd)
python=${PYTHON:-python3}
out=${OUT:?the folder for results}
mkdir -p "$out"
work=${WORK:-${TMPDIR:-/tmp}/foretell-suite-styles}
mkdir -p "$work"
nanobind=${1:-$("$python" -c 'import nanobind, os; print(os.path.dirname(nanobind.__file__))')}

# A copy of the Python part with a core of the probe alone; the tree itself stays as it is.
rm -rf "$work/src" && mkdir -p "$work/src" && cp -r "$root/src/foretell" "$work/src/foretell"
rm -f "$work"/src/foretell/_core*.so
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
if [ ! -f "$work/_core$suffix" ]; then
  include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
  printf '%s\n' '#include "bind/bind.hpp"' 'NB_MODULE(_core, m) { bind_probe(m); bind_guard(m); }' > "$work/module.cpp"
  flags="-std=c++20 -O3 -w -fPIC -fvisibility=hidden -ffp-contract=off -fno-strict-aliasing -DNDEBUG -I$root/cpp -I$include
    -I$nanobind/include -I$nanobind/ext/robin_map/include"
  compile() {
    name=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    g++ $flags "$@" -c -o "$work/$name.o" "$source" || echo "$name" >> "$work/failed"
  }
  rm -f "$work/failed"
  compile nanobind "$nanobind/src/nb_combined.cpp" &
  compile module "$work/module.cpp" &
  compile bind "$root/cpp/bind/probe.cpp" &
  compile bind_guard "$root/cpp/bind/guard.cpp" &
  for part in "$root"/cpp/guard/*.cpp; do compile "guard_$(basename "$part" .cpp)" "$part" & done
  for part in probe host regions; do compile "$part" "$root/cpp/probe/$part.cpp" & done
  compile base "$root/cpp/probe/base.cpp" -ffp-contract=fast &
  compile avx2 "$root/cpp/probe/avx2.cpp" -ffp-contract=fast -mavx2 -mfma &
  compile avx512 "$root/cpp/probe/avx512.cpp" -ffp-contract=fast -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512 &
  wait
  [ ! -f "$work/failed" ] || { echo "cannot be compiled: $(cat "$work/failed")" >&2; exit 1; }
  g++ -shared -o "$work/_core$suffix" "$work"/nanobind.o "$work"/module.o "$work"/bind.o "$work"/bind_guard.o "$work"/guard_*.o \
    "$work"/probe.o "$work"/host.o "$work"/regions.o "$work"/base.o "$work"/avx2.o "$work"/avx512.o -ldl -lpthread
fi
cp "$work/_core$suffix" "$work/src/foretell/"
export PYTHONPATH="$work/src" PYTHONUNBUFFERED=1
measure="$root/validation/cpu/suite-styles/measure.py"
left() { echo $((${SECONDS_ALL:-520} - $(date +%s) + begun)); }
cc -O2 -w -pthread -I"$root/src/foretell/include" -o "$work/cores" "$root/validation/cpu/suite-styles/cores.c"
echo "built $(date +%T)"
[ -f "$out/machine.toml" ] || "$python" "$measure" "$out" --probe
echo "probed $(date +%T)"
"$python" "$measure" "$out" --assembly "${COMPILER:-gcc}"
cpus=$("$work/cores")
echo "assembly $(date +%T), one CPU of every core: $cpus"
"$python" "$measure" "$out" "$(left)" "${COMPILER:-gcc}" "$cpus"
echo "measured $(date +%T)"
