"""Names of the Fortran interpreter: scopes, declarations, designators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fortran_values import (
    Cell,
    Counters,
    Element,
    Holder,
    Lazy,
    MemberOfElement,
    Node,
    Record,
    Table,
    View,
    indices,
    make,
)

if TYPE_CHECKING:
    from .fortran_parse import Unit

TYPE_ZERO: dict[str, Any] = {"integer": 0, "logical": False, "character": "", "real": 0.0, "double precision": 0.0}


class Frame:
    """The names of one activation."""

    def __init__(self, unit: Unit, host: Frame | None) -> None:
        self.unit = unit
        self.host = host
        self.names: dict[str, Any] = {}

    def find(self, name: str) -> Any:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.host
        return None


class Scopes:
    """What names mean; mixed into the interpreter."""

    count: Counters
    frame: Frame
    modules: dict[str, Frame]
    commons: dict[tuple[str, int], Any]
    saved: dict[tuple[int, str], Any]

    # ------------------------------------------------------------------ scopes and declarations

    def enter_scope(self, frame: Frame) -> None:
        unit = frame.unit
        for module, names in unit.uses:
            if module not in self.modules:
                continue  # iso_fortran_env and the like: their names are known below
            source = self.modules[module]
            chosen = names if names is not None else {n: n for n in source.names}
            for local, remote in chosen.items():
                if source.find(remote) is not None:
                    frame.names[local] = source.find(remote)
        for declaration in unit.declarations:
            getattr(self, "declare_" + declaration[0])(frame, *declaration[1:])

    def declare_decl(self, frame: Frame, kind: str, attributes: dict[str, Any], entities: list[Any]) -> None:
        for name, dims, init in entities:
            self.entity(frame, kind, attributes, name, dims or attributes.get("dimension"), init)

    def entity(self, frame: Frame, kind: str, attributes: dict[str, Any], name: str, dims: Any, init: Any) -> None:
        unit = frame.unit
        if name in unit.parameters:
            self.dummy(frame, name, dims)
            return
        if kind == "" and isinstance(frame.names.get(name), Cell):  # DIMENSION after a type statement
            kind = "integer" if isinstance(frame.names[name].value, int) else "real"
        kind = kind or self.implicit(unit, name)
        static = unit.kind in ("subroutine", "function") and ("save" in attributes or init is not None)
        key = (id(unit), name)
        if static and "parameter" not in attributes and key in self.saved:
            frame.names[name] = self.saved[key]
            return
        frame.names[name] = value = self.new(kind, attributes, name, dims, init)
        if static:
            self.saved[key] = value

    def new(self, kind: str, attributes: dict[str, Any], name: str, dims: Any, init: Any) -> Any:
        if "allocatable" in attributes or "pointer" in attributes:
            return Holder(None, len(dims) if dims else 0, kind)
        if dims:
            bounds = self.bounds(dims, init)
            view = make(name, bounds, lambda: self.zero(kind))
            view.counters = self.count
            if init is not None:
                self.fill(view, self.value(init))
            return view
        cell = Cell(self.zero(kind), "parameter" in attributes)
        if init is not None:
            cell.set(self.value(init))
        return cell

    def zero(self, kind: str) -> Any:
        if not kind.startswith("type:"):
            return TYPE_ZERO[kind]
        record = Record()
        for _, member_kind, attributes, entities in self.type_of(kind[5:]):
            for name, dims, init in entities:
                record[name] = self.new(member_kind, attributes, name, dims or attributes.get("dimension"), init)
        return record

    def type_of(self, name: str) -> Any:
        scopes = [u for u in (self.frame.unit, self.frame.unit.host) if u is not None]
        scopes += [f.unit for f in self.modules.values()]
        return next(s.types[name] for s in scopes if name in s.types)

    def fill(self, view: View, value: Any) -> None:
        flat = [value] * len(view.store.data)
        if isinstance(value, Lazy | View):
            flat = [value.get(i) for i in indices(value.shape)]
        for i, v in enumerate(flat):
            view.store.data[i] = type(view.store.data[i])(v)

    def bounds(self, dims: Any, init: Any = None) -> list[tuple[int, int]]:
        out = []
        for d in dims:
            if d == ("star",):
                out.append((1, len(init[1]) if init is not None else 0))
            elif d[0] == "range":
                high = 0 if d[2] in (None, ("star",)) else self.value(d[2])
                out.append((1 if d[1] is None else self.value(d[1]), high))
            else:
                out.append((1, self.value(d)))
        return out

    def implicit(self, unit: Unit, name: str) -> str:
        scope: Unit | None = unit
        while scope is not None:
            if name[0] in scope.implicit:
                return scope.implicit[name[0]]
            scope = scope.host
        return "integer" if name[0] in "ijklmn" else "real"

    def dummy(self, frame: Frame, name: str, dims: Any) -> None:
        """Give an actual array the bounds that the dummy declares."""
        actual = frame.names.get(name)
        if isinstance(actual, Element) and dims:  # sequence association
            old = actual.view
            actual = View(old.store, actual.at, [], name, counters=old.counters)
        elif not isinstance(actual, View) or not dims:
            return
        else:
            actual = View(actual.store, actual.offset, actual.dims, name, counters=actual.counters)
        if all(d[0] == "range" and d[2] is None for d in dims):  # assumed shape: new lower bounds only
            lows = [1 if d[1] is None else self.value(d[1]) for d in dims]
            actual.dims = [(low, e, s) for low, (_, e, s) in zip(lows, actual.dims, strict=True)]
        else:
            new, stride = [], 1
            for d, (low, high) in zip(dims, self.bounds(dims), strict=True):
                open_end = d == ("star",) or (d[0] == "range" and d[2] == ("star",))
                extent = -1 if open_end else max(0, high - low + 1)
                new.append((low, extent, stride))
                stride *= extent
            actual.dims = new
        frame.names[name] = actual

    def declare_parameter(self, frame: Frame, pairs: list[Any]) -> None:
        for name, init in pairs:
            old = frame.names.get(name)
            zero = old.value if isinstance(old, Cell) else TYPE_ZERO[self.implicit(frame.unit, name)]
            cell = Cell(zero, True)
            cell.set(self.value(init))
            frame.names[name] = cell

    def declare_common(self, frame: Frame, block: str, entities: list[Any]) -> None:
        for position, (name, dims, _) in enumerate(entities):
            key = (block, position)
            if key not in self.commons:
                declared = frame.names.get(name)
                if isinstance(declared, View) and not dims:
                    self.commons[key] = declared
                else:
                    kind = self.implicit(frame.unit, name)
                    if isinstance(declared, Cell):
                        kind = "integer" if isinstance(declared.value, int) else "real"
                    self.commons[key] = self.new(kind, {}, name, dims, None)
            shared = self.commons[key]
            if isinstance(shared, View):
                shared = View(shared.store, 0, shared.dims, name, counters=self.count)
            frame.names[name] = shared

    def declare_data(self, frame: Frame, pairs: list[Any]) -> None:
        for name, values in pairs:
            key = (id(frame.unit), name)
            if key in self.saved:
                frame.names[name] = self.saved[key]
                continue
            self.frame, before = frame, getattr(self, "frame", frame)
            target = self.variable(frame, name)
            if isinstance(target, View):
                target.store.data[:] = [type(o)(self.value(v)) for o, v in zip(target.store.data, values, strict=True)]
            else:
                target.set(self.value(values[0]))
            self.frame = before
            self.saved[key] = target

    def variable(self, frame: Frame, name: str) -> Any:
        found = frame.find(name)
        if found is None:
            found = frame.names[name] = Cell(TYPE_ZERO[self.implicit(frame.unit, name)])
        return found

    # ------------------------------------------------------------------ references

    def is_variable(self, name: str, args: Any) -> bool:
        if self.frame.find(name) is not None:
            return True
        return args is None and self.procedure(name) is None

    def locate(self, ref: Any) -> Any:
        """A Cell, Element, View or Holder for a designator."""
        where: Any = None
        path = ""
        for position, (name, args) in enumerate(ref[1]):
            path = f"{path}.{name}" if path else name
            where = self.variable(self.frame, name) if position == 0 else self.member(where, name)
            if args is not None:
                where = self.subscripted(where, args, path)
            elif isinstance(where, Holder) and position < len(ref[1]) - 1:
                where = where.target
            elif isinstance(where, View):
                where = View(where.store, where.offset, where.dims, path, counters=where.counters)
        return where

    def member(self, where: Any, name: str) -> Any:
        if isinstance(where, Holder):
            where = where.target
        inside_array = isinstance(where, Element)
        record = where.view.store.data[where.at] if inside_array else where.value
        part = record[name]
        if inside_array and isinstance(part, Cell):
            return MemberOfElement(where, part, name)
        if isinstance(where, MemberOfElement) and isinstance(part, Cell):
            return MemberOfElement(where.element, part, f"{where.name}.{name}")
        return part

    def subscripted(self, where: Any, args: Any, path: str) -> Any:
        view = where.target if isinstance(where, Holder) else where
        if isinstance(where, Holder) and view is None:
            raise RuntimeError(f"{path} is not allocated")
        view = View(view.store, view.offset, view.dims, path, counters=view.counters)
        if any(a[0] == "range" for a in args):
            return self.section(view, [("range", *a[1:]) if a[0] == "range" else self.value(a) for a in args])
        subscripts = [self.value(a) for a in args]
        if any(isinstance(s, View | Lazy) for s in subscripts):
            return self.section(view, subscripts)
        return view.element(tuple(subscripts))

    def section(self, view: View, subscripts: list[Any]) -> View:
        offset, dims = view.offset, []
        for sub, (low, extent, stride) in zip(subscripts, view.dims, strict=True):
            if isinstance(sub, tuple):
                first = low if sub[1] is None else self.value(sub[1])
                last = low + extent - 1 if sub[2] is None else self.value(sub[2])
                step = 1 if sub[3] is None else self.value(sub[3])
                n = max(0, (last - first + step) // step)
                if n and not (first - low >= 0 and (extent < 0 or 0 <= first + (n - 1) * step - low < extent)):
                    raise IndexError(f"{view.name}: section {first}:{last} outside")
                if isinstance(stride, list):
                    dims.append((1, n, [stride[first - low + k * step] for k in range(n)]))
                else:
                    offset += (first - low) * stride
                    dims.append((1, n, step * stride))
            elif isinstance(sub, View | Lazy):
                dims.append((1, sub.shape[0], self.table(sub, low, stride)))
            else:
                if not 0 <= sub - low < max(extent, sub - low + 1 if extent < 0 else extent):
                    raise IndexError(f"{view.name}: subscript {sub}")
                offset += (sub - low) * stride
        return View(view.store, offset, dims, view.name, counters=view.counters)

    def table(self, sub: View | Lazy, low: int, stride: int) -> Table:
        """The offsets of a vector subscript; its elements are counted when they are used."""
        before, self.count.current = self.count.current, Node(("", "", 0, 0), None)
        table = Table((sub.get(i) - low) * stride for i in indices(sub.shape))
        self.count.current = before
        if isinstance(sub, View):
            table.name, table.stored = sub.name, sub.store.name
        return table
