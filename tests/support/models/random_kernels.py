"""Random C programs: loops over arrays of several types, updates, copies, calls and branches on data."""

from __future__ import annotations

import random

HEAD = r"""
#include <stdlib.h>
#include <string.h>
#define N 64
struct mixed { float x; char tag; double y; };
double A[N], B[N]; float F[N]; int I[N]; char C[N]; struct mixed M[N];
__attribute__((noinline)) double join(double x, double y) { return 0.5 * x + 0.25 * y; }
__attribute__((noinline)) void spread(double *p, int n) {
    for (int q = 1; q < n; q++) p[q] = 0.5 * p[q - 1];
}
__attribute__((noinline)) double fold(const double *p, int n) {
    return n == 0 ? 0.125 : 0.5 * (p[n - 1] + fold(p, n - 1));
}
__attribute__((noinline)) struct mixed swapped(struct mixed m) {
    struct mixed r = {(float)m.y * 0.5f, m.tag, m.x * 0.5};
    return r;
}
typedef double (*joiner)(double, double);
joiner volatile chosen = join;
"""

MAIN = r"""
int main(int argc, char **argv) {
    for (int i = 0; i < N; i++) {
        A[i] = 1.0 / (i + 1); B[i] = 0.5 / (i + 2); F[i] = 0.25f / (i + 1);
        I[i] = i * 7 % 11; C[i] = (char)(i * 5 % 13);
        M[i].x = 0.5f / (i + 1); M[i].tag = (char)i; M[i].y = 0.25 / (i + 3);
    }
    run((int)strtol(argv[1], 0, 10));
    return 0;
}
"""


class Writer:
    """One random function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.variables: list[str] = []

    def function(self, name: str) -> str:
        body = self.loop(1, self.random.choice((1, 2, 2, 2, 3)))
        return f"__attribute__((noinline)) void {name}(void) {{\n{body}}}\n"

    def loop(self, depth: int, deepest: int) -> str:
        name = f"i{len(self.variables)}"
        self.variables.append(name)
        bound = self.random.randint(2, 3)
        sums = self.random.random() < 0.3
        parts = [self.statement() for _ in range(self.random.randint(1, 2))]
        if depth < deepest:
            parts.insert(self.random.randint(0, len(parts)), self.loop(depth + 1, deepest))
        if sums:
            parts.append(f"s{depth} += {self.read()};\n")
        text = f"for (int {name} = 0; {name} < {bound}; {name}++) {{\n{''.join(parts)}}}\n"
        self.variables.pop()
        if sums:
            text = f"{{ double s{depth} = 0;\n{text}A[{self.index()}] = 0.0625 * s{depth}; }}\n"
        return text

    def index(self) -> str:
        terms = [f"{self.random.choice((1, 1, 1, 2, 8))}*{name}" for name in self.variables]
        return f"({'+'.join([*terms, str(self.random.randint(0, 9))])})&63"

    def read(self) -> str:
        kinds = (
            ["A[{0}]"] * 3 + ["B[{0}]"] * 2 + ["(double)F[{0}]", "M[{0}].y", "(double)M[{0}].x", "(double)I[{0}]*0.01"]
        )
        return self.random.choice(kinds).format(self.index())

    def value(self) -> str:
        one, two = self.read(), self.read()
        return self.random.choice(
            (
                f"0.25*({one}+{two})",
                f"{one}*{two}",
                one,
                f"{one}/({two}+2.0)",
                f"join({one},{two})",
                f"chosen({one},{two})",
                f"__builtin_sqrt({one}*{one}+{two}*{two})*0.5",
                f"({one}>{two}?{one}:{two})",
            )
        )

    def statement(self) -> str:
        at, from_ = self.index(), self.index()
        count = self.random.randint(1, 6)
        return self.random.choice(
            (
                f"A[{at}] = {self.value()};\n",
                f"B[{at}] = {self.value()};\n",
                f"A[{at}] += 0.01*{self.read()};\n",
                f"F[{at}] = (float)({self.value()});\n",
                f"if ({self.read()} > {self.read()}) B[{at}] = {self.value()};\n",
                f"I[{at}] = (I[{from_}] + C[{at}]) & 15;\n",
                f"C[{at}] = (char)((C[{from_}] + I[{at}]) & 15);\n",
                f"memcpy(&B[({at})/2], &A[({from_})/2], {8 * count});\n",
                f"memmove((char *)A + (({at})), (char *)A + (({from_})), {count * 4});\n",
                f"memset(&F[({at})/2], 0, {4 * count});\n",
                f"spread(&A[({at})/2], {count});\n",
                f"B[{at}] = fold(&A[({from_})/2], {count});\n",
                f"M[{at}] = swapped(M[{from_}]);\n",
                f"M[{at}] = M[{from_}];\n",
                f"M[{at}].y += {self.read()};\n",
            )
        )


def program(count: int, seed: int) -> str:
    """A program whose argument says which of its random functions runs inside `run`."""
    functions = "".join(Writer(seed + number).function(f"k{number}") for number in range(count))
    cases = "".join(f"case {number}: k{number}(); break;\n" for number in range(count))
    return f"{HEAD}{functions}void run(int which) {{ switch (which) {{\n{cases}}} }}\n{MAIN}"
