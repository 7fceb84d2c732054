"""Generates a C program that calls one function of a user's file repeatedly and records the times.

Calls are timed in chunks, as the probe times its loops: short compared with a time slice, so that a chunk ran either
uninterrupted or preempted. A call that is longer than a chunk is one chunk, and is marked when a thread was preempted.
Before and after each chunk every thread checks for SMT co-runners (`foretell_look.h`), and in cases whose arrays are in
no cache also for memory traffic, by reading uncached data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Inner, Op, Ref, Var
from foretell.errors import InputError, UnsupportedError
from foretell.uses.profiling.profile import include_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.nest.loopnest import ArrayUse, FunctionInfo, LoopNest, Loops, Subscript
    from foretell.core.nest.statements import ElementType
    from foretell.core.symbolic.poly import Poly

#: values that a few additions or multiplications do not turn into 0 or infinity
_FLOAT = "0.7312"
#: value of an integer that no loop depends on: a weight, a threshold, a shift count
_WHOLE = 3
_HALF = 0.5
#: least number of elements of an array that no loop touches
_LEAST = 4096
_C_TYPES = {
    ("float", 4): "float",
    ("float", 8): "double",
    **{(kind, size): f"{kind}{8 * size}_t" for kind in ("int", "uint") for size in (1, 2, 4, 8)},
}

#: multiplications in the chain of an interference check
CHAIN_PASSES = 4096
#: the two spins of an interference check
_LOOK = include_folder() / "foretell_look.h"
_BYTES = {c_type: size for (_, size), c_type in _C_TYPES.items()}


@dataclass(frozen=True, slots=True)
class Number:
    """A scalar argument."""

    name: str
    c_type: str
    value: str


@dataclass(frozen=True, slots=True)
class Array:
    """An array argument of this many elements; an index array holds numbers from `first` to below `below`."""

    name: str
    c_type: str
    elements: int
    first: int = 0
    below: int = 0

    @property
    def bytes(self) -> int:
        """Its size in memory."""
        return self.elements * _BYTES[self.c_type]


Argument = Number | Array


def bytes_of(given: Sequence[Argument]) -> int:
    """The total size of all arrays in memory."""
    return sum(item.bytes for item in given if isinstance(item, Array))


def arguments(loops: Loops, function: FunctionInfo, values: Mapping[str, float]) -> tuple[Argument, ...]:
    """Chooses the arguments of the function: sizes from `values`, arrays as large as its loops reach."""
    nests = [nest for nest in loops.nests if nest.function == function.name and nest.status != "refused"]
    if not nests:
        raise UnsupportedError(f"{function.name}: has no loop nest that is understood", line=function.line)
    types = {name: kind for nest in nests for name, kind in _scalars(nest)}
    sizes = {name for nest in nests for name in (*nest.parameters, *nest.address_parameters)}
    outside, whole = dict(function.arrays), {name: int(value) for name, value in values.items()}
    found: list[Argument] = []
    for name in function.parameters:
        uses = [(nest, array) for nest in nests for array in nest.arrays if name in _names(array)]
        if uses:
            found.append(_array(name, uses, nests, whole))
        elif name in outside:
            found.append(Array(name, _c_type(name, outside[name]), _LEAST))
        else:
            found.append(_number(name, types.get(name), values, is_size=name in sizes))
    # The extent of an array that is touched outside loops only is unknown: assume that of the others.
    most = max((item.elements for item in found if isinstance(item, Array)), default=_LEAST)
    used = {array.name for nest in nests for array in nest.arrays}
    return tuple(
        item if isinstance(item, Number) or item.name in used else replace(item, elements=most) for item in found
    )


def _number(name: str, kind: ElementType | None, values: Mapping[str, float], *, is_size: bool) -> Number:
    if is_size or (kind is not None and kind.kind in ("int", "uint")):
        if is_size and name not in values:
            hint = f"give each with -D, e.g. -D {name}=512"
            raise InputError(f"parameters without a value: {name}", hint=hint)
        return Number(name, "int64_t", str(int(values.get(name, _WHOLE))))
    c_type = "float" if kind is not None and kind.size == 4 else "double"
    return Number(name, c_type, repr(float(values.get(name, _HALF))))


def _c_type(name: str, kind: ElementType, plain: bool = True) -> str:
    c_type = _C_TYPES.get((kind.kind, kind.size)) if plain else None
    if c_type is None:
        raise UnsupportedError(
            f"array {name!r}: elements of type {kind.name} cannot be filled with numbers",
            hint="measure a function that takes arrays of numbers, and calls this one",
        )
    return c_type


def _names(array: ArrayUse) -> tuple[str, ...]:
    """Names of an array, and of the records that contain it."""
    return (array.name,) if array.member is None else (array.name, array.member.records)


def _plain(nest: LoopNest, array: ArrayUse) -> bool:
    """Whether an array holds numbers, and not records or, in C, pointers to rows."""
    by_pointers = nest.language == "c" and any(dim.stride is None for dim in array.dims)
    return not (array.component or array.member or by_pointers)


def _array(name: str, uses: list[tuple[LoopNest, ArrayUse]], nests: list[LoopNest], values: Mapping[str, int]) -> Array:
    kind = uses[0][1].type
    c_type = _c_type(name, kind, plain=all(_plain(nest, array) for nest, array in uses))
    elements = max(reach(nest, array, values) for nest, array in uses)
    targets = [
        (array, position)
        for nest in nests
        for array in nest.arrays
        for access in array.accesses
        for position, one in enumerate(access.subscripts)
        if one.index == name
    ]
    if not targets:
        return Array(name, c_type, elements)
    array, position = targets[0]
    dim = array.dims[position]
    first = int(dim.lower.evaluate(values))
    return Array(name, c_type, elements, first, first + _extent(array, position, values))


def reach(nest: LoopNest, array: ArrayUse, values: Mapping[str, int]) -> int:
    """Elements from the start of an array to the last one that the nest touches."""
    ranges = _ranges(nest, values)
    last = 0
    for access in array.accesses:
        position = 0
        for depth, (one, dim) in enumerate(zip(access.subscripts, array.dims, strict=True)):
            stride = int(dim.stride.evaluate(values)) if dim.stride is not None else 1
            low, high = _subscript(array, depth, one, ranges, values)
            lower = int(dim.lower.evaluate(values))
            if low < lower:
                raise UnsupportedError(f"{array.name!r} is touched before its first element", line=access.line)
            position += (high - lower) * stride
        last = max(last, position)
    return last + 1


def _subscript(
    array: ArrayUse, depth: int, one: Subscript, ranges: Mapping[str, tuple[int, int]], values: Mapping[str, int]
) -> tuple[int, int]:
    """The smallest and the largest value of a subscript."""
    if one.index or one.opaque:
        lower = int(array.dims[depth].lower.evaluate(values))
        return lower, lower + _extent(array, depth, values) - 1
    low = high = int(one.offset.evaluate(values))
    for name, coefficient in one.coefficients:
        ends = [int(coefficient.evaluate(values)) * end for end in ranges[name]]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _extent(array: ArrayUse, depth: int, values: Mapping[str, int]) -> int:
    extent = array.dims[depth].extent
    if extent is None:
        raise UnsupportedError(
            f"array {array.name!r}: how far its irregular accesses reach is not known",
            hint=f"declare its size: {array.name}[n]",
        )
    return int(extent.evaluate(values))


def _ranges(nest: LoopNest, values: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Computes the smallest and largest value of every loop variable, with bounds that depend on outer ones at their
    extremes. A loop that is empty there has no smaller values than its start."""
    found: dict[str, tuple[int, int]] = {}
    for loop in nest.loops:
        first, last = (list(_corners(bound, found, values)) for bound in (loop.lower, loop.upper))
        if loop.step.evaluate({**values, **{name: low for name, (low, _) in found.items()}}) > 0:
            found[loop.variable] = (min(first), max(*first, *last))
        else:
            found[loop.variable] = (min(*first, *last), max(first))
    return found


def _corners(poly: Poly, ranges: Mapping[str, tuple[int, int]], values: Mapping[str, int]) -> Iterator[int]:
    for side in (0, 1):
        yield int(poly.evaluate({**values, **{name: ends[side] for name, ends in ranges.items()}}))


def _scalars(nest: LoopNest) -> Iterator[tuple[str, ElementType]]:
    """Yields every scalar that a statement of the nest reads, with its type."""
    pending: list[object] = [statement for level in nest.levels for statement in level]
    while pending:
        item = pending.pop()
        if isinstance(item, Var):
            yield item.name, item.type
        elif isinstance(item, Op):
            pending += item.args
        elif not isinstance(item, Ref | Inner):
            pending += [getattr(item, name) for name in ("value", "condition") if hasattr(item, name)]
            for name in ("then", "other", "args"):
                pending += getattr(item, name, ())


def program(source: str, function: str, language: str, given: Sequence[Argument]) -> str:
    """Generates a program for arguments of these names and types; their sizes are given by `command_line`.

    It writes one line per chunk: elapsed and processor seconds of one call, whether a thread was preempted, and
    nanoseconds of the chain, of the wide spin and of reading memory (0: not read) of the interference check before and
    of the one after; of several threads the longest. A second file has checks of one thread, before others start.
    """
    declare = f'#include "{source}"' if language == "c" else f"void {function}_();"
    return "\n".join(
        [
            "#define _GNU_SOURCE",
            "#define main foretell_main_of_the_source",
            declare,
            "#undef main",
            f'#include "{_LOOK}"',
            _HEAD.replace("@CHAIN@", str(CHAIN_PASSES)),
            *(
                f"static {f'volatile {item.c_type} ' if isinstance(item, Number) else f'{item.c_type} *'}"
                f"foretell_arg_{item.name};"
                for item in given
            ),
            f"static void foretell_call(void) {{ {_call(function, language, given)}; }}",
            "static void foretell_fill(char **given) {",
            *_fills(given),
            "}",
            _MAIN,
        ]
    )


def command_line(given: Sequence[Argument]) -> list[str]:
    """The numbers that the program takes: a value, or elements, first and range of an array."""
    words = []
    for item in given:
        if isinstance(item, Number):
            words.append(item.value)
        else:
            words += [str(item.elements), str(item.first), str(item.below - item.first if item.below else 0)]
    return words


def _call(function: str, language: str, given: Sequence[Argument]) -> str:
    """Calls a C function through a volatile pointer: the compiler cannot propagate the call's constants into it."""
    number, array = ("", "(void *)") if language == "c" else ("(void *)&", "")
    names = ", ".join(f"{number if isinstance(item, Number) else array}foretell_arg_{item.name}" for item in given)
    if language == "c":
        return f"__typeof__(&{function}) volatile target = {function}; (void)target({names})"
    return f"{function}_({names})"


def _fills(given: Sequence[Argument]) -> Iterator[str]:
    for number, item in enumerate(given):
        name = f"foretell_arg_{item.name}"
        if isinstance(item, Number):
            convert = "atoll" if "int" in item.c_type else "atof"
            yield f"  {name} = {convert}(*given++);"
            continue
        yield "  {"
        yield "    const size_t count = (size_t)atoll(*given++);"
        yield "    const int64_t first = atoll(*given++), range = atoll(*given++);"
        yield f"    {name} = foretell_get(count * sizeof *{name}, {number});"
        if "int" in item.c_type:
            yield "    for (size_t k = 0; k < count; k++)"
            yield f"      {name}[k] = range ? first + (int64_t)(foretell_next() % (uint64_t)range) : (int64_t)(k & 15);"
        else:
            yield "    FORETELL_PARALLEL_FOR"
            yield f"    for (size_t k = 0; k < count; k++) {name}[k] = {_FLOAT};"
        yield "  }"


_HEAD = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
#if defined(_OPENMP)
#include <omp.h>
#define FORETELL_PARALLEL_FOR _Pragma("omp parallel for schedule(static)")
#define FORETELL_PARALLEL _Pragma("omp parallel")
#define FORETELL_BARRIER _Pragma("omp barrier")
#else
#define FORETELL_PARALLEL_FOR
#define FORETELL_PARALLEL
#define FORETELL_BARRIER
#endif
enum {
  FORETELL_MOST = 2000, FORETELL_LEAST = 5, FORETELL_THREADS = 1024,
  FORETELL_CHAIN = @CHAIN@, FORETELL_WIDE = 2048, /* passes of a look's two spins */
  FORETELL_ALONE = 32, /* looks of one thread */
  FORETELL_FAR = 4 << 20 /* numbers that a look at memory goes through */
};
static const double FORETELL_CHUNK = 30e-6;
/* Memory of its own pages. Arrays start in different places of a page, the first ones, which most functions read,
   ahead of those behind them: a load that is less than a page behind a store seems to depend on it. */
static void *foretell_get(size_t bytes, int number) {
  char *all = aligned_alloc(4096, (bytes / 4096 + 2) * 4096);
  if (!all) {
    fputs("not enough memory\\n", stderr);
    _Exit(1);
  }
  return all + 448 * (8 - number % 9);
}
static uint64_t foretell_next(void) {
  static uint64_t x = 88172645463325252UL;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}
"""

_MAIN = """\
static double foretell_clock(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/* What a thread saw in its last look: how often it had been pushed off its core, the two spins, its part of memory, and
   its processor time before and after that. Threads write to lines of their own. */
static struct {
  long pushed;
  int64_t chain, wide, memory;
  double began, ended;
  char apart[80];
} foretell_seen[FORETELL_THREADS];
/* The same of all threads: the sum, and the longest. */
struct foretell_seen_by_all {
  long pushed;
  long long chain, wide, memory;
};
static volatile uint64_t foretell_spun;
static uint64_t *foretell_far; /* where arrays are in no cache */
static void foretell_look_of(int me, int threads) {
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  foretell_seen[me].pushed = use.ru_nivcsw;
  foretell_seen[me].began = foretell_clock(CLOCK_THREAD_CPUTIME_ID);
  int64_t start = foretell_nanoseconds();
  uint64_t x = foretell_chain((uint64_t)me + 1, FORETELL_CHAIN);
  foretell_seen[me].chain = foretell_nanoseconds() - start;
  FORETELL_BARRIER
  start = foretell_nanoseconds();
  x = foretell_wide(x, FORETELL_WIDE);
  foretell_seen[me].wide = foretell_nanoseconds() - start;
  if (foretell_far) {
    const int part = FORETELL_FAR / threads;
    start = foretell_nanoseconds();
    for (int k = part * me; k < part * (me + 1); k += 8) x += foretell_far[k]; /* one of each line */
    foretell_seen[me].memory = foretell_nanoseconds() - start;
  }
  foretell_spun = x;
  foretell_seen[me].ended = foretell_clock(CLOCK_THREAD_CPUTIME_ID);
}
/* All threads look; `used` is the processor time of the one that used least since the look before. */
static struct foretell_seen_by_all foretell_look(double *used) {
  static double before[FORETELL_THREADS];
  static int threads = 1;
  struct foretell_seen_by_all all = {0, 0, 0, 0};
  FORETELL_PARALLEL
  {
    int me = 0, count = 1;
#if defined(_OPENMP)
    me = omp_get_thread_num(), count = omp_get_num_threads();
#endif
    if (me == 0) threads = count;
    foretell_look_of(me, count);
  }
  *used = 1e9;
  for (int k = 0; k < threads; k++) {
    const double since = foretell_seen[k].began - before[k];
    if (since < *used) *used = since;
    before[k] = foretell_seen[k].ended;
    all.pushed += foretell_seen[k].pushed;
    if (foretell_seen[k].chain > all.chain) all.chain = foretell_seen[k].chain;
    if (foretell_seen[k].wide > all.wide) all.wide = foretell_seen[k].wide;
    if (foretell_seen[k].memory > all.memory) all.memory = foretell_seen[k].memory;
  }
  return all;
}
static int foretell_alone(const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) return 3;
  for (int k = 0; k < FORETELL_ALONE; k++) {
    foretell_look_of(0, 1);
    fprintf(out, "%lld %lld\\n", (long long)foretell_seen[0].chain, (long long)foretell_seen[0].wide);
  }
  return fclose(out) ? 3 : 0;
}
static double foretell_calls(long count) {
  const double start = foretell_clock(CLOCK_MONOTONIC);
  for (long k = 0; k < count; k++) foretell_call();
  return foretell_clock(CLOCK_MONOTONIC) - start;
}
/* So many calls that they take a chunk; after them caches and pages are as in the middle of a run. */
static long foretell_count(void) {
  for (long count = 1;; count *= 2) {
    double fastest = 1e9;
    for (int k = 0; k < 2 || (k < 3 && fastest < 0.01); k++) {
      const double time = foretell_calls(count);
      if (time < fastest) fastest = time;
    }
    if (fastest >= FORETELL_CHUNK) {
      const long exact = (long)((double)count * FORETELL_CHUNK / fastest);
      return exact < 1 ? 1 : exact;
    }
  }
}
int main(int argc, char **argv) {
  if (argc < 5) return 2;
  const double seconds = atof(argv[3]);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040); /* numbers near zero become zero: they would take a hundred times as long */
#endif
  if (foretell_alone(argv[2])) return 3;
  if (atoi(argv[4])) {
    foretell_far = foretell_get(FORETELL_FAR * sizeof *foretell_far, 0);
    for (int k = 0; k < FORETELL_FAR; k++) foretell_far[k] = 1;
  }
  foretell_fill(argv + 5);
  const long count = foretell_count();
  FILE *out = fopen(argv[1], "w");
  if (!out) return 3;
  const double end = foretell_clock(CLOCK_MONOTONIC) + seconds;
  double used;
  struct foretell_seen_by_all before = foretell_look(&used);
  for (long chunk = 0; chunk < FORETELL_MOST; chunk++) {
    if (chunk >= FORETELL_LEAST && foretell_clock(CLOCK_MONOTONIC) > end) break;
    const double wall = foretell_calls(count);
    const struct foretell_seen_by_all after = foretell_look(&used);
    fprintf(out, "%.9e %.9e %d %lld %lld %lld %lld %lld %lld\\n", wall / (double)count, used / (double)count,
            after.pushed != before.pushed, before.chain, before.wide, before.memory, after.chain, after.wide,
            after.memory);
    before = after;
  }
  return fclose(out) ? 3 : 0;
}
"""
