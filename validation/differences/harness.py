"""Writes the programs that measure the C pairs: one for each, with both versions in it.

python3 validation/differences/harness.py PAIRS_FOLDER OUT_FOLDER [c|arm|emerald|… [HERTZ]]    # needs Python 3.11 alone

With a clock, times are cycles at that clock: a chain of additions beside each chunk counts them. Chunks that have a
co-runner on the other thread of their core do not count.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

#: chunks of each version and place in a round, and the seconds of a chunk
CHUNKS, CHUNK_S, ROUNDS = 80, 4e-5, 3
#: the seconds after which a version's part of a round ends with fewer chunks
ROUND_S = 0.25
#: places of the code, modulo the 64 bytes of a line: which one a program gets is the linker's choice, not the edit's
PLACES = 4
ARRAY = re.compile(r"(\w+)\[(\d+)\](?:@(\w+)|=([\d.]+))?")
#: how files of versions end
ENDINGS = ("c", "cpp", "f90")
#: a subroutine of Fortran with the types of its arguments, which are all passed by reference
SUBROUTINE = r"^subroutine {}\(([^)]*)\)"
DECLARED = re.compile(r"^ +(integer|real\((\d)\)) :: (.*)", re.MULTILINE)
#: what arrays of a struct are filled as: only the sources know their members
ELEMENTS = {"f32": "float", "f64": "double", "u8": "uint8_t", "i32": "int32_t"}

MAIN = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/* arrays start at different places of a page, the first ones ahead of those behind them */
static void *get(size_t bytes, int number) {
  char *all = aligned_alloc(4096, (bytes / 4096 + 2) * 4096);
  return all + 448 * (8 - number % 9);
}
/* bits without a pattern within an array; a branch predictor may still learn a short array by heart, call after call */
static uint32_t scrambled(uint32_t k) {
  k = (k ^ 0x5bd1e995u) * 0x2c1b3c6du;
  k = (k ^ k >> 15) * 0x297a2d39u;
  return k ^ k >> 13;
}
#ifdef __aarch64__
#define ADD(r) "add w" #r ", w" #r ", w" #r "\\n"
#define CHAIN ADD(9) ADD(9) ADD(9) ADD(9) ADD(9) ADD(9) ::: "w9"
#define WIDE ADD(9) ADD(10) ADD(11) ADD(12) ADD(13) ADD(14) ::: "w9", "w10", "w11", "w12", "w13", "w14"
#else
#define ADD(r) "add %%" #r ", %%" #r "\\n"
#define CHAIN ADD(eax) ADD(eax) ADD(eax) ADD(eax) ADD(eax) ADD(eax) ::: "eax"
#define WIDE ADD(eax) ADD(ecx) ADD(edx) ADD(esi) ADD(edi) ADD(r8d) ::: "eax", "ecx", "edx", "esi", "edi", "r8"
#endif
static int by_value(const void *a, const void *b) {
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}
/* a tenth of the values are less */
static double short_one(double *all, int count) {
  qsort(all, count, sizeof *all, by_value);
  return all[count / 10];
}
/* seconds of 6000 dependent additions, and the share of them that 6000 independent ones take */
static double wide_share(double *chain) {
  double start = now();
  for (int k = 0; k < 1000; k++) __asm__ volatile(CHAIN);
  double middle = now();
  for (int k = 0; k < 1000; k++) __asm__ volatile(WIDE);
  *chain = middle - start;
  return (now() - middle) / *chain;
}
static double alone; /* that share while nobody has the core's other thread */
static void learn_alone(void) {
  static double shares[20000];
  double chain;
  for (int k = 0; k < 20000; k++) shares[k] = wide_share(&chain);
  alone = short_one(shares, 20000);
}
/* Cycles of the core in a second, by the chain; 0 if the share is another one: somebody has the core's other thread, or
   had the core itself. */
static double settle(void) {
  double chain, share = wide_share(&chain) / alone;
  return share < 1.08 && share > 0.92 ? 6000 / chain : 0;
}
static double seconds[2][@PLACES@][@CHUNKS@];
static int place;
@DECLARED@
int main(int count, char **given) {  /* with the share of a core alone; without it, says what it is now */
  if (count < 2) {
    learn_alone();
    printf("%.4f\\n", alone);
    return 0;
  }
  alone = atof(given[1]);
@ARRAYS@
  for (int round = 0; round < @ROUNDS@; round++) {
    long calls[2];
    int kept[2][@PLACES@] = {{0}};
    for (int v = 0; v < 2; v++) {
      long n = 1;
      for (;;) {
        double start = now();
        for (long k = 0; k < n; k++) { if (v) { @HEAD@; } else { @BASE@; } }
        double took = now() - start;
        if (took > @CHUNK_S@) break;
        n *= 2;
      }
      calls[v] = n;
    }
    double began = now();
    for (int done = 0; done < @CHUNKS@ && now() - began < @ROUND_S@; done++)
      for (place = 0; place < @PLACES@; place++)
        for (int v = 0; v < 2; v++) {  /* by turns: clock and co-runners change from millisecond to millisecond */
          if (v) { @HEAD@; } else { @BASE@; }  /* the caches hold what its own call left */
          double before = settle(), start = now();
          for (long k = 0; k < calls[v]; k++) { if (v) { @HEAD@; } else { @BASE@; } }
          double took = (now() - start) / calls[v], after = settle();
          double clock = @CLOCK@;
          if (!before || !after) continue;
          if (clock) took *= 0.5 * (before + after) / clock;
          seconds[v][place][kept[v][place]++] = took;
        }
    place = 0;
    int least = @CHUNKS@;
    for (int v = 0; v < 2; v++)
      for (int p = 0; p < @PLACES@; p++) least = kept[v][p] < least ? kept[v][p] : least;
    if (least < 4) continue;  /* co-runners all the time */
    printf("{\\"pair\\": \\"@NAME@\\", \\"round\\": %d, \\"chunks\\": %d", round, least);
    for (int v = 0; v < 2; v++) {
      printf(", \\"%s_s\\": [", v ? "head" : "base");
      for (int p = 0; p < @PLACES@; p++) printf("%s%.6g", p ? ", " : "", short_one(seconds[v][p], kept[v][p]));
      printf("]");
    }
    printf("}\\n");
  }
}
"""


def of_subroutine(source: str, names: str) -> list[tuple[str, bool]]:
    """The types of a subroutine's arguments, as C has them, and whether each is an array."""
    known = {}
    for _, size, listed in DECLARED.findall(source):
        kind = {"": "int", "4": "float", "8": "double"}[size]
        for name, bounds in re.findall(r"(\w+)(\([^)]*\))?", listed):
            known[name] = (kind, bool(bounds))
    return [known[name.strip()] for name in names.split(",")]


def parameters(source: str, function: str) -> list[tuple[str, bool]]:
    """The types of a function's parameters, and whether each is an array."""
    if found := re.search(SUBROUTINE.format(function), source, re.MULTILINE):
        return of_subroutine(source, found[1])
    listed = re.search(rf"^void {function}\(([^)]*)\)", source, re.MULTILINE)[1]
    words = [re.sub(r"\b(const|(?:__)?restrict)\b", "", entry).split() for entry in listed.split(",")]
    joined = [" ".join(entry) for entry in words]
    return [(re.sub(r"[\s*]*\w+$", "", entry), "*" in entry) for entry in joined]


def program(name: str, pair: dict, sources: dict[str, str], clock: str) -> str:
    """The program of a pair; each version has arrays of its own."""
    declared, arrays, calls = [], [], {}
    for version, source in sources.items():
        types, fortran = parameters(source, pair["function"]), source.startswith("subroutine")
        given = []
        asked = pair.get("head_args", pair["args"]) if version == "head" else pair["args"]
        for number, (kind, argument) in enumerate(zip(types, asked, strict=True)):
            word, array = kind
            if not array:
                value = str(argument).partition(":")[2] or str(argument)
                given.append(f"&({word}){{{value}}}" if fortran else value)
                continue
            element, count, contents, value = ARRAY.fullmatch(argument).groups()
            word = ELEMENTS[element] if word.startswith("struct ") else word
            at = f"{version}{number}"
            scrambled = "scrambled(k)" if element[0] != "f" else "scrambled(k) % 1000 * 1e-3"
            usual = "1" if "i" in argument[:1] else "0.5 + (k * 7919L % 1000) * 1e-3"
            known = {"iota": "k", "mixed": f"k * 7919L % {count}L", "random": scrambled}
            what = known.get(contents, value or usual)
            arrays.append(f"  {word} *{at} = get({count}L * sizeof *{at}, {number});")
            arrays.append(f"  for (long k = 0; k < {count}L; k++) {at}[k] = ({word})({what});")
            given.append(at)
        spelled = ", ".join("void *" if array or fortran else word for word, array in types)
        placed = [f"{pair['function']}_{version}_{place}" for place in range(PLACES)]
        declared += [f"void {symbol}({spelled});" for symbol in placed]
        declared.append(f"static void (*const {version}_at[])({spelled}) = {{{', '.join(placed)}}};")
        calls[version] = f"{version}_at[place]({', '.join(given)})"
    filled = {"DECLARED": "\n".join(declared), "ARRAYS": "\n".join(arrays), "NAME": name, "BASE": calls["base"],
              "HEAD": calls["head"], "CHUNKS": str(CHUNKS), "ROUNDS": str(ROUNDS), "CHUNK_S": str(CHUNK_S),
              "PLACES": str(PLACES), "ROUND_S": str(ROUND_S), "CLOCK": clock}  # fmt: skip
    return re.sub(r"@(\w+)@", lambda found: filled[found[1]], MAIN)


def source_of(folder: Path, name: str, side: str) -> Path:
    """The file of a version, in C, C++ or Fortran."""
    return next(file for end in ENDINGS if (file := folder / f"{name}.{side}.{end}").exists())


def main(folder: Path, out: Path, measured: str = "c", clock: str = "0") -> None:
    pairs = tomllib.loads((folder / "pairs.toml").read_text())["pair"]
    for name, pair in pairs.items():
        kind, _, stem = name.partition("/")
        if kind == measured:
            sources = {side: source_of(folder, name, side).read_text() for side in ("base", "head")}
            (out / f"{stem}.main.c").write_text(program(name, pair, sources, clock))
    for side in ("base", "head"):
        lines = []
        for name, pair in pairs.items():
            if name.startswith("cuda/"):
                launch = {
                    key: pair.get(f"head_{key}" if side == "head" else key, pair[key])
                    for key in ("grid", "block", "args")
                }
                words = ", ".join(f'"{a}"' if isinstance(a, str) else str(a) for a in launch["args"])
                lines += ["[[launch]]", f'name = "{name}"', f'kernel = "{pair["kernel"]}"', f"grid = {launch['grid']}",
                          f"block = {launch['block']}", f"args = [{words}]", ""]  # fmt: skip
        (out / f"{side}.toml").write_text("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
