"""Runs a Fortran program in an interpreter that counts operations, element accesses and loop trips.

The result is checked against the same program compiled by gcc: every printed number must agree.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

from .fortran_calls import Calls
from .fortran_expressions import Expressions
from .fortran_intrinsics import ELEMENTAL, Reductions
from .fortran_parse import Unit, parse
from .fortran_scope import Frame, Scopes
from .fortran_values import Again, Cell, Counters, Holder, Lazy, Record, View, indices, make

if TYPE_CHECKING:
    from pathlib import Path


class StopError(Exception):
    """STOP."""


class Interpreter(Scopes, Expressions, Calls, Reductions):
    def __init__(self, units: list[Unit]) -> None:
        self.count = Counters()
        self.procedures = {u.name: u for u in units if u.kind in ("subroutine", "function")}
        self.modules: dict[str, Frame] = {}
        self.commons: dict[tuple[str, int], Any] = {}
        self.saved: dict[tuple[int, str], Any] = {}
        self.statement_functions: dict[tuple[int, str], tuple[list[str], Any]] = {}
        self.printed: list[str] = []
        self.line = 0
        self.shapes: dict[int, bool] = {}
        self.frame: Frame
        for unit in units:
            if unit.kind == "module":
                self.frame = self.modules[unit.name] = Frame(unit, None)
                self.enter_scope(self.frame)
                self.procedures |= unit.inner
        self.main = next(u for u in units if u.kind == "program")

    def run(self) -> None:
        self.frame = Frame(self.main, None)
        self.activate(self.main, ())
        self.enter_scope(self.frame)
        self.note_scalars(self.frame)
        try:
            self.block(self.main.body)
        except StopError:
            return

    # ------------------------------------------------------------------ statements

    def block(self, statements: list[Any]) -> Any:
        at = 0
        while at < len(statements):
            signal = self.statement(statements[at])
            if signal is None:
                at += 1
                continue
            if signal[0] == "goto":
                targets = [k for k, s in enumerate(statements) if s[2] == signal[1]]
                if targets:
                    at = targets[0]
                    continue
            return signal
        return None

    def statement(self, s: Any) -> Any:
        self.line = s[1]
        return getattr(self, "do_" + s[0])(s)

    def do_continue(self, s: Any) -> Any:
        return None

    def do_exit(self, s: Any) -> Any:
        return ("exit", s[3])

    def do_cycle(self, s: Any) -> Any:
        return ("cycle", s[3])

    def do_goto(self, s: Any) -> Any:
        return ("goto", s[3])

    def do_threeway(self, s: Any) -> Any:
        value = self.value(s[3])
        return ("goto", s[4][0 if value < 0 else 1 if value == 0 else 2])

    def do_manyway(self, s: Any) -> Any:
        choice = self.value(s[4])
        return ("goto", s[3][choice - 1]) if 1 <= choice <= len(s[3]) else None

    def do_return(self, s: Any) -> Any:
        return ("return",)

    def do_stop(self, s: Any) -> Any:
        raise StopError

    def do_print(self, s: Any) -> Any:
        for expr in s[3]:
            value = self.value(expr)
            values = [value.get(i) for i in indices(value.shape)] if isinstance(value, View | Lazy) else [value]
            self.printed += [repr(v) for v in values if not isinstance(v, str)]

    def do_call(self, s: Any) -> Any:
        name, args = s[3][1][0]
        bound = self.frame.find(name)
        unit = bound if isinstance(bound, Unit) else self.procedure(name)
        if unit is None:
            if name in ("cpu_time", "random_number", "system_clock", "random_seed"):
                return
            raise RuntimeError(f"no subroutine {name}")
        self.invoke(unit, [self.actual(a) for a in args or ()])

    def do_if(self, s: Any) -> Any:
        for condition, body in s[3]:
            if condition is None or self.value(condition):
                return self.block(body)
        return None

    def do_select(self, s: Any) -> Any:
        selector, default = self.value(s[3]), None
        for values, body in s[4]:
            if values is None:
                default = body
            elif any(self.matches(selector, v) for v in values):
                return self.block(body)
        return self.block(default) if default is not None else None

    def matches(self, selector: Any, value: Any) -> bool:
        if value[0] != "range":
            return bool(selector == self.value(value))
        low, high = value[1], value[2]
        return (low is None or self.value(low) <= selector) and (high is None or selector <= self.value(high))

    def do_do(self, s: Any) -> Any:
        _, line, _, construct, name, low, high, step, body = s
        before = self.count.enter(self.frame.unit.file, self.frame.unit.name, line)
        try:
            self.count.header += 1
            first, last, stride = self.value(low), self.value(high), self.value(step)
            self.count.header -= 1
            cell = self.variable(self.frame, name)
            trips = max(0, (last - first + stride) // stride)
            for k in range(trips):
                cell.set(first + k * stride)
                signal = self.iteration(body, construct)
                if signal == "leave":
                    return None
                if signal:
                    return signal
            cell.set(first + trips * stride)
        finally:
            self.count.current = before
        return None

    def iteration(self, body: list[Any], construct: str) -> Any:
        """One trip: None to go on, 'leave' to leave this loop, or a signal for someone outside."""
        self.count.current.iterations += 1
        signal = self.block(body)
        if signal is None or (signal[0] == "cycle" and signal[1] in ("", construct)):
            return None
        if signal[0] == "exit" and signal[1] in ("", construct):
            return "leave"
        return signal

    def do_while(self, s: Any) -> Any:
        _, line, _, construct, condition, body = s
        before = self.count.enter(self.frame.unit.file, self.frame.unit.name, line)
        try:
            while True:
                self.count.header += 1
                go_on = self.value(condition)
                self.count.header -= 1
                if not go_on:
                    return None
                signal = self.iteration(body, construct)
                if signal == "leave":
                    return None
                if signal:
                    return signal
        finally:
            self.count.current = before

    def do_concurrent(self, s: Any) -> Any:
        _, line, _, controls, mask, body = s
        spans = []
        for name, (_, low, high, step) in controls:
            stride = 1 if step is None else self.value(step)
            spans.append((name, range(self.value(low), self.value(high) + (1 if stride > 0 else -1), stride)))
        outer = self.frame.names
        self.frame.names = {**outer, **{name: Cell(0) for name, _ in spans}}
        before = self.count.current
        try:
            self.nest(line, spans, 0, mask, body)
        finally:
            self.frame.names = outer
            self.count.current = before

    def nest(self, line: int, spans: list[Any], depth: int, mask: Any, body: list[Any]) -> None:
        if depth == len(spans):
            if mask is None or self.value(mask):
                self.block(body)
            return
        name, span = spans[depth]
        before = self.count.enter(self.frame.unit.file, self.frame.unit.name, line, depth)
        for i in span:
            self.count.current.iterations += 1
            self.frame.names[name].set(i)
            self.nest(line, spans, depth + 1, mask, body)
        self.count.current = before

    def do_associate(self, s: Any) -> Any:
        outer = self.frame.names
        self.frame.names = {**outer, **{name: self.actual(expr) for name, expr in s[3]}}
        try:
            return self.block(s[4])
        finally:
            self.frame.names = outer

    def do_allocate(self, s: Any) -> Any:
        for target in s[3]:
            *prefix, (name, args) = target[1]
            holder = self.locate(("ref", (*prefix, (name, None))))
            if args is None:
                holder.target = Cell(self.zero(holder.kind))
                continue
            path = self.path(target)
            view = make(path, self.bounds(args), lambda holder=holder: self.zero(holder.kind))
            view.counters = self.count
            holder.target = view

    def do_deallocate(self, s: Any) -> Any:
        for target in s[3]:
            self.locate(target).target = None

    do_nullify = do_deallocate

    def do_point(self, s: Any) -> Any:
        holder = self.locate(s[3])
        if s[4][0] == "ref" and s[4][1][0][0] == "null":
            holder.target = None
            return
        target = self.locate(s[4])
        holder.target = target.target if isinstance(target, Holder) else target

    def do_assign(self, s: Any) -> Any:
        _, line, _, target, value = s
        name, args = target[1][0]
        if args is not None and len(target[1]) == 1 and self.frame.find(name) is None:
            self.statement_functions[id(self.frame.unit), name] = ([a[1][0][0] for a in args], value)
            return
        where = self.locate(target)
        if isinstance(where, Holder):
            where = self.allocated(where, target, value)
        if isinstance(where, View):
            self.assign_array(line, where, value, None)
        elif isinstance(where, Cell) and isinstance(where.value, Record):
            where.value = self.value(value)
        else:
            where.set(self.value(value))
            if isinstance(where, Cell):
                self.count.scalar(self.path(target), where.value)

    def allocated(self, holder: Holder, target: Any, value: Any) -> Any:
        if holder.target is None:  # allocation on assignment
            shape = self.peek(value).shape
            view = make(self.path(target), [(1, n) for n in shape], lambda: self.zero(holder.kind))
            view.counters = self.count
            holder.target = view
        found = holder.target
        if isinstance(found, View):
            return View(found.store, found.offset, found.dims, self.path(target), counters=found.counters)
        return found

    def assign_array(self, line: int, where: View, value: Any, mask: Any) -> None:
        before = self.count.current
        source = self.source(value)  # reductions inside run now, in loops of their own
        self.implied_nest(line, where.shape)
        if isinstance(source, View | Lazy) and source.shape != where.shape:
            raise RuntimeError(f"line {line}: shapes {source.shape} and {where.shape} do not conform")
        values = []
        chosen = [i for i in indices(where.shape) if mask is None or mask(i)]
        for i in chosen:
            values.append(source.get(i) if isinstance(source, View | Lazy | Again) else source)
        for i, v in zip(chosen, values, strict=True):
            where.element(tuple(k + d[0] for k, d in zip(i, where.dims, strict=True))).set(v)
        self.count.current = before

    def source(self, expr: Any) -> Any:
        return Again(lambda _: self.value(expr)) if self.repeats(expr) else self.value(expr)

    def implied_nest(self, line: int, shape: tuple[int, ...]) -> None:
        """Enter the loops that an array statement stands for: slowest dimension outside."""
        product = 1
        for depth, extent in enumerate(reversed(shape)):
            entries = product
            self.count.enter(self.frame.unit.file, self.frame.unit.name, line, (len(shape), depth))
            self.count.current.entries += entries - 1
            product *= extent
            self.count.current.iterations += product

    def do_where(self, s: Any) -> Any:
        """Every mask and every assignment is a nest at its own line; a WHERE with one assignment is one nest."""
        _, line, _, arms = s
        before = self.count.current
        first = next(c for c, _, _ in arms if c is not None)
        shape = self.peek(first).shape
        undecided = dict.fromkeys(indices(shape), True)
        alone = sum(len(body) for _, body, _ in arms) == 1
        for condition, body, at in arms:
            if condition is not None:
                self.implied_nest(at, shape)
            source = self.value(condition) if condition is not None else None
            # a mask is evaluated everywhere, also where an earlier one has decided
            holds = {i: source is None or source.get(i) for i in undecided}
            chosen = {i for i, open_ in undecided.items() if open_ and holds[i]}
            for i in chosen:
                undecided[i] = False
            for statement in body:
                if statement[1] != line and not alone:
                    self.count.current = before
                    self.implied_nest(statement[1], shape)
                self.masked(statement, chosen)
            self.count.current = before

    def masked(self, statement: Any, chosen: set[tuple[int, ...]]) -> None:
        """An assignment under WHERE."""
        where = self.locate(statement[3])
        if isinstance(where, Holder):
            where = where.target
            where = View(where.store, where.offset, where.dims, self.path(statement[3]), counters=where.counters)
        source = self.source(statement[4])
        order = sorted(chosen)
        values = [source.get(i) if isinstance(source, View | Lazy | Again) else source for i in order]
        for i, v in zip(order, values, strict=True):
            where.element(tuple(k + d[0] for k, d in zip(i, where.dims, strict=True))).set(v)

    def intrinsic(self, name: str, args: Any) -> Any:
        if name in ELEMENTAL:
            counted, function = ELEMENTAL[name]
            operands = [self.value(a[2] if a[0] == "kw" else a) for a in args if a[0] != "kw" or a[1] != "kind"]

            def apply(*values: Any) -> Any:
                if counted and any(isinstance(v, float) for v in values):
                    for _ in range(max(1, len(values) - 1) if counted in ("min", "max") else 1):
                        self.count.call(counted)
                return function(*values)

            return self.lift(apply, *operands)
        method = getattr(self, "intrinsic_" + name, None)
        if method is None:
            raise RuntimeError(f"no function or array {name!r} in {self.frame.unit.name}")
        return method(args)


def compiled_output(files: list[Path]) -> str:
    """What the program prints when gcc compiles it."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["gcc", "-O0", "-ffp-contract=off", "-fcheck=all", "-w", f"-J{folder}", "-o", f"{folder}/program"]
        subprocess.run([*command, *map(str, files), "-lgfortran", "-lm"], check=True)
        return subprocess.run([f"{folder}/program"], check=True, capture_output=True, text=True).stdout


def agree(ours: str, theirs: str) -> bool:
    """The same numbers, as far as single precision may differ."""
    numbers = [[float(n) for n in re.findall(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", t)] for t in (ours, theirs)]
    if len(numbers[0]) != len(numbers[1]):
        return False
    return all(abs(a - b) <= 2e-5 * max(1.0, abs(a)) for a, b in zip(*numbers, strict=True))


def count(files: list[Path], check: bool = True) -> tuple[list[dict[str, Any]], str]:
    units = [unit for file in files for unit in parse(file)]
    interpreter = Interpreter(units)
    interpreter.run()
    printed = " ".join(interpreter.printed)
    if check:
        theirs = compiled_output(files)
        if not agree(printed, theirs):
            raise RuntimeError(f"{files[0].name}: the interpreter printed {printed!r}, the compiled program {theirs!r}")
    return interpreter.count.record(), printed
