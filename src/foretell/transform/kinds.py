"""The kinds of change: their ids, those of the open catalogue of checks (Codee), and what they are."""

from __future__ import annotations

from foretell.records import record


@record
class Kind:
    """A transformation: its id, its name in the open catalogue, and what it is."""

    id: str
    codee: str
    meaning: str


#: in the order in which a sequence of changes goes through them
KINDS = (
    Kind("aos_to_soa", "PWR016", "an array of structures as a structure of arrays"),
    Kind("pad", "", "longer rows of arrays, so that columns spread over the sets of a cache"),
    Kind("single", "", "single instead of double precision: other results"),
    Kind("sum_in_place", "", "a sum in an array element instead of a scalar, which frees the order of loops"),
    Kind("fuse", "", "two neighbouring loops in one"),
    Kind("fission", "PWR020", "a loop divided into two"),
    Kind("interchange", "PWR039", "perfectly nested loops in another order"),
    Kind("tile", "PWR040", "loops in blocks that stay in a cache"),
    Kind("unroll_and_jam", "", "several iterations of an outer loop in one pass of the innermost"),
    Kind("hoist", "", "elements that do not depend on a loop in scalars"),
    Kind("reciprocal", "PWR045", "divisions by the same number as multiplications"),
    Kind("stream", "", "stores past the caches"),
    Kind("prefetch", "", "elements asked for before they are needed"),
    Kind("parallelise", "PWR050", "a loop divided between threads"),
    Kind("collapse", "", "two nested loops together divided between threads"),
    Kind("first_touch", "", "arrays set by the threads that use them"),
    Kind("schedule", "", "uneven iterations dealt out one by one"),
    Kind("threads", "", "another number of threads"),
    Kind("vectorise", "PWR053", "an innermost loop in vectors, sums included"),
    Kind("restrict", "PWR068", "pointers that do not overlap, declared so"),
    Kind("flags", "", "other flags of the compiler"),
)
IDS = tuple(kind.id for kind in KINDS)
#: changes that gain nothing by themselves, but make others possible
ENABLING = ("sum_in_place", "fission")
#: changes of compiled code that generated code does not show
COMPILED_ONLY = ("hoist", "vectorise", "restrict", "flags")
#: changes with another result: the user's choice, never the headline
OPTIONS = ("single",)


def codee(identifier: str) -> str:
    return next((kind.codee for kind in KINDS if kind.id == identifier), "")
