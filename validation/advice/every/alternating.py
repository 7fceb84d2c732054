"""The program that times versions of a nest in turn, in one process on one core.

It loads each version as a library, `PATH=SYMBOL` or `PATH=SYMBOL=NAME` where the array of structures NAME is passed as
arrays of its members, and prints for each the shortest undisturbed time of a call, how many chunks counted, and a
checksum after one call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARRAY = re.compile(r"(\w+)((?:\[[^\]]*\])+)")
_SUPPORT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
typedef unsigned char byte;
typedef void (*Nest)();
static double clock_s(int which) { struct timespec t; clock_gettime(which, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static long preempted(void) { struct rusage u; getrusage(RUSAGE_THREAD, &u); return u.ru_nivcsw; }
static void *get(long bytes) { return aligned_alloc(64, (bytes + 4095) / 4096 * 4096); }
#define OF(type, make) \\
  static void fill_##type(type *p, long n, int end) { unsigned s = 7; (void)end; \\
    for (long i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; p[i] = (type)(make); } } \\
  static double sum_##type(const type *p, long n) { double s = 0; \\
    for (long i = 0; i < n; i++) s += (double)p[i] * (1 + i % 7); return s; }
OF(double, 0.5 + (s >> 8) / 33554432.0)
OF(float, 0.5 + (s >> 8) / 33554432.0)
OF(int, (s >> 8) % end)
OF(byte, s >> 24)
static inline void divide(double *members, const double *records, long n, int m) {
  for (int k = 0; k < m; k++) for (long i = 0; i < n; i++) members[k * n + i] = records[i * m + k]; }
static inline void join(const double *members, double *records, long n, int m) {
  for (int k = 0; k < m; k++) for (long i = 0; i < n; i++) records[i * m + k] = members[k * n + i]; }
"""
_MAIN = """
typedef struct { Nest nest; const char *divided; double least_s, checksum; long chunks; } Version;
static Version load(char *word) {
  char *symbol = strchr(word, '='), *divided; *symbol++ = 0;
  if ((divided = strchr(symbol, '='))) *divided++ = 0;
  void *library = dlopen(word, RTLD_NOW);
  if (!library) { fprintf(stderr, "%s\\n", dlerror()); exit(1); }
  Version v = { (Nest)dlsym(library, symbol), divided ? divided : "", 1e9, 0, 0 };
  return v; }
static void chunk(Version *v, double long_s) {
  fill(v->divided);
  double start = clock_s(CLOCK_MONOTONIC);
  call(v->nest, v->divided);
  double once = clock_s(CLOCK_MONOTONIC) - start;
  long times = once < long_s ? (long)(long_s / once) + 1 : 1, before = preempted();
  double cpu = clock_s(CLOCK_THREAD_CPUTIME_ID);
  start = clock_s(CLOCK_MONOTONIC);
  for (long i = 0; i < times; i++) call(v->nest, v->divided);
  double took = clock_s(CLOCK_MONOTONIC) - start;
  cpu = clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu;
  if (preempted() != before || took > 1.02 * cpu + 2e-6) return;
  v->chunks++;
  if (took / times < v->least_s) v->least_s = took / times; }
int main(int count, char **words) {
  double end = clock_s(CLOCK_MONOTONIC) + atof(words[1]);
  static Version versions[256];
  make();
  for (int k = 2; k < count; k++) {
    versions[k] = load(words[k]);
    fill(versions[k].divided);
    call(versions[k].nest, versions[k].divided);
    versions[k].checksum = sum(versions[k].divided); }
  for (int turn = 0; turn < 40 && clock_s(CLOCK_MONOTONIC) < end; turn++)
    for (int k = 2; k < count; k++)
      chunk(&versions[k], 3e-4);
  for (int k = 2; k < count; k++)
    printf("%.9g %ld %.17g\\n", versions[k].least_s, versions[k].chunks, versions[k].checksum);
  return 0; }
"""


def size_of(text: str) -> int:
    found = re.search(r"n = (\d+)", text)
    assert found is not None
    return int(found[1])


def driver(text: str) -> str:
    """The program of a nest, whose comment says its data and the call."""
    data, call = re.search(r"data: (.*)", text), re.search(r"call: (.*?)(?: \*/)?\n", text)
    assert data is not None
    assert call is not None
    arrays, arguments = list(_arrays(data[1], text)), call[1].partition("(")[2]
    declared = "".join(f"static {plain} *{name};\n" for name, plain, _, _ in arrays)
    made = "".join(f"  {name} = get(({count}) * sizeof({plain}));\n" for name, plain, count, _ in arrays)
    fills = "".join(f"  fill_{plain}({name}, {count}, n);\n" for name, plain, count, _ in arrays)
    sums = "".join(f" + sum_{plain}({name}, {count})" for name, plain, count, _ in arrays)
    divided = [(name, count, members) for name, _, count, members in arrays if members]
    for name, count, _ in divided:
        declared += f"static double *{name}_;\n"
        made += f"  {name}_ = get(({count}) * sizeof(double));\n"
    chosen, moved, back = "", "", ""
    for name, count, members in divided:
        every, each = len(members), f"({count}) / {len(members)}"
        passed = ", ".join(f"{name}_ + {k} * ({each})" for k in range(every))
        which = f'  if (!strcmp(divided, "{name}"))'
        own = re.sub(rf"(?<!\w){name}(?!\w)", passed, arguments)
        chosen += f"{which} {{ nest({own}; return; }}\n"
        moved += f"{which} divide({name}_, {name}, {each}, {every});\n"
        back += f"{which} join({name}_, {name}, {each}, {every});\n"
    return (
        f"{_SUPPORT}static int n = {size_of(text)};\n{declared}static void make(void) {{\n{made}}}\n"
        f"static void fill(const char *divided) {{\n{fills}{moved}}}\n"
        f"static double sum(const char *divided) {{\n{back}  return 0.0{sums};\n}}\n"
        f"static void call(Nest nest, const char *divided) {{\n{chosen}  nest({arguments};\n}}\n{_MAIN}"
    )


def _arrays(data: str, text: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Name, type, number of elements and members of each array of `double a[n*n]; struct s b[n]`."""
    for group in data.split("; "):
        parts = re.fullmatch(r"((?:struct )?\w+) (.*)", group)
        assert parts is not None, group
        found = re.search(rf"{parts[1]} {{ double ([^;]*);", text) if parts[1].startswith("struct") else None
        members = [one.strip() for one in found[1].split(",")] if found else []
        for array, extents in _ARRAY.findall(parts[2]):
            sizes = [f"(1L * {one})" for one in re.findall(r"\[([^\]]*)\]", extents)]
            count = " * ".join([*sizes, *([str(len(members))] if members else [])])
            yield array, "double" if members else parts[1], count, members
