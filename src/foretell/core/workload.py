"""A workload: a characterised code, as facets that a front end provides and a model requires."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self, TypeVar

from foretell.core.answers.forms import Answer
from foretell.errors import InputError, nearest
from foretell.files import content_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.core.machine.machine import Machine

#: how the assumption ends that gives the reason why loop nests of a source became a call of its compiled code
CALL_INSTEAD = ": a call of it is followed"


@dataclass(frozen=True)
class Facet:
    """One kind of knowledge about a code. Subclasses are frozen and complete: no optional bags."""

    @property
    def symbols(self) -> frozenset[str]:
        """Parameters used by the facet's expressions."""
        return frozenset()

    @property
    def optional(self) -> frozenset[str]:
        """Those of the symbols that need no value."""
        return frozenset()

    @property
    def passed(self) -> frozenset[str]:
        """Integer parameters of functions, which may have a value though no size depends on them."""
        return frozenset()

    @property
    def counts(self) -> frozenset[str]:
        """Those of the symbols that count something, and so are whole numbers."""
        return frozenset()

    @property
    def aliases(self) -> Mapping[str, tuple[str, ...]]:
        """Parameters that have the value of another name, if it is given one: `n@21` that of `n`."""
        return {}

    @property
    def how_given(self) -> str:
        """How a user gives values to parameters, where it is not by their names."""
        return ""

    @property
    def unread(self) -> tuple[str, ...]:
        """Why parts of the code could not be read; their parameters are not known."""
        return ()

    def resolved(self, load: Callable[[str], Machine]) -> Self:
        """Returns the facet with the machine on which it was measured loaded, if it names one."""
        return self

    def with_baseline(self, change: Callable[[Machine], Machine]) -> Self:
        """Returns the facet with the machine on which it was measured changed, if there is one."""
        return self


ValueT = TypeVar("ValueT")
FacetT = TypeVar("FacetT", bound=Facet)


@dataclass(frozen=True, repr=False)
class Workload(Answer):
    """One code, characterised once, for any machine.

    `parameters` are the sizes in the facets' expressions; `with_parameters` gives them other values. `input_hash`
    identifies the content the workload was read from.
    """

    name: str
    facets: tuple[Facet, ...]
    parameters: Mapping[str, float] = field(default_factory=dict)
    origin: str = ""
    input_hash: str = ""
    assumptions: tuple[str, ...] = ()

    report_name = "workload"

    def __repr__(self) -> str:
        have = ", ".join(type(facet).__name__ for facet in self.facets) or "nothing"
        sizes = "".join(f", {name}={value:g}" for name, value in self.parameters.items())
        return f"<Workload {self.name}: {have}{sizes}>"

    def __post_init__(self) -> None:
        if not self.input_hash:  # built in memory, not from a file: the facets are the input
            object.__setattr__(self, "input_hash", content_hash(repr(self.facets).encode()))

    def find(self, kind: type[FacetT]) -> FacetT | None:
        """Returns the facet of a kind, or None."""
        return next((facet for facet in self.facets if isinstance(facet, kind)), None)

    def facet(self, kind: type[FacetT]) -> FacetT:
        """Returns the facet of a kind; InputError names the facets present."""
        found = self.find(kind)
        if found is None:
            have = ", ".join(type(facet).__name__ for facet in self.facets) or "none"
            raise InputError(f"{self.name}: needs the facet {kind.__name__}; this input gave {have}")
        return found

    @property
    def symbols(self) -> frozenset[str]:
        """All parameters that some facet uses."""
        return frozenset().union(*(facet.symbols for facet in self.facets))

    @property
    def optional(self) -> frozenset[str]:
        """Parameters that need no value."""
        return frozenset().union(*(facet.optional for facet in self.facets))

    def joined(self, other: Workload) -> Workload:
        """Merges two views of the same code: the facets of both. Two facets of one kind would contradict each other."""
        kinds = {type(facet) for facet in self.facets}
        twice = [type(facet).__name__ for facet in other.facets if type(facet) in kinds]
        if twice:
            raise InputError(f"{self.name} and {other.name} both give {', '.join(twice)}: which one counts?")
        return replace(
            self,
            facets=self.facets + other.facets,
            parameters={**other.parameters, **self.parameters},
            origin=f"{self.origin}, {other.origin}",
            input_hash=content_hash(f"{self.input_hash} {other.input_hash}".encode()),
            assumptions=self.assumptions + other.assumptions,
        )

    def resolved(self, load: Callable[[str], Machine]) -> Workload:
        """Returns the workload with the machines named by its facets loaded."""
        return replace(self, facets=tuple(facet.resolved(load) for facet in self.facets))

    def with_baseline(self, change: Callable[[Machine], Machine]) -> Workload:
        """Returns the workload with the machines on which its facets were measured changed."""
        return replace(self, facets=tuple(facet.with_baseline(change) for facet in self.facets))

    def with_parameters(self, values: Mapping[str, float]) -> Workload:
        """Returns the same code at other sizes. An unused name is an error: it would silently have no effect."""
        known = self.symbols | set(self.parameters)
        accepted = known.union(*(facet.passed for facet in self.facets))
        for name in values:
            if name not in accepted and not any(name in facet.aliases for facet in self.facets):
                have = "; ".join(
                    (", ".join(sorted(known)) or "none", *filter(None, (f.how_given for f in self.facets)))
                )
                reasons = [reason.partition("; ")[0] for facet in self.facets for reason in facet.unread[:1]]
                unread = "".join(f"; not all of it was read: {reason}" for reason in reasons)
                raise InputError(
                    f"{self.name} has no parameter {name!r}{nearest(name, known)}{unread}", hint=f"parameters: {have}"
                )
        counts = frozenset[str]().union(*(facet.counts for facet in self.facets))
        for name, value in values.items():
            if name in counts and math.isfinite(value) and value != int(value):
                raise InputError(f"{name}={value:g}: is a count, a whole number")
        return replace(self, parameters={**self.parameters, **self.expanded(values)})

    def expanded(self, values: Mapping[str, ValueT]) -> dict[str, ValueT]:
        """The values, also under the names of parameters that follow one of them."""
        found = dict(values)
        for facet in self.facets:
            for name, followers in facet.aliases.items():
                if name in values:
                    found |= {other: values[name] for other in followers if other not in values}
        return found
