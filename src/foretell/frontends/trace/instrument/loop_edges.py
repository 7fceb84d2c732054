"""Instruments the control-flow edges on which loops are entered, repeated and left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.trace.instrument.helpers import INSTANCE_HEADER
from foretell.frontends.trace.instrument.writer import TracedText

if TYPE_CHECKING:
    from foretell.frontends.trace.cfg import Loop


class Edges(TracedText):
    """Emits a block for every entry, back and exit edge of a loop."""

    def _write_edges(self) -> None:
        """Emits a separate block for every entry, back and exit edge of a loop."""
        for source, block in self.graph.blocks.items():
            terminator = block.terminator
            targets = terminator.labels[:1] if terminator.opcode == "invoke" else terminator.labels
            for target in dict.fromkeys(targets):
                if self._edge_work(source, target):
                    self._edge(source, target)

    def _edge_work(self, source: str, target: str) -> list[tuple[str, Loop]]:
        """The instrumentation of an edge; exits run from the inner to the outer loop."""
        inner = self.graph.loop_of(source)
        outer = self.graph.loop_of(target)
        work = []
        ends = self.graph.blocks[target].terminator.opcode == "unreachable"
        for loop in inner.chain if inner else []:
            if ends and not self.returning.isdisjoint(loop.blocks):
                continue  # a longjmp may return here
            if target not in loop.blocks:
                work.append(("leave", loop))
        if outer is not None and outer.header == target:
            inside = source in outer.blocks
            work.append(("back" if inside else "enter", outer))
        return work

    def _edge_text(self) -> list[str]:
        text = []
        for (source, target), number in self.edges.items():
            text.append(f"ft.e{number}:")
            if (source, target) in self.after_invoke:
                text.append(self.after_invoke[source, target])
            for verb, loop in self._edge_work(source, target):
                text += {"leave": self._leave_text, "enter": self._enter_text, "back": self._back_text}[verb](
                    loop, number, source
                )
            text.append(f"  br label %{target}")
        return text

    def _leave_text(self, loop: Loop, number: int, source: str) -> list[str]:
        index = loop.index
        trips = f"%ft.n{index}"
        name = f"%ft.c{index}.{number}"
        # A loop that tests before its body executes the header once more than the body.
        extra = 0 if source == loop.header and source not in loop.latches else 1
        text = [f"  {name} = add i64 {trips}, {extra}", f"  call void @ft_leave(ptr %ft.f{index}, i64 {name})"]
        if self._counts_itself(loop):
            block = INSTANCE_HEADER + list(self.graph.blocks).index(loop.header)
            text.append(f"  call void @ft.count(ptr %ft.inst, i64 {block}, i64 {name})")
        return text

    def _counts_itself(self, loop: Loop | None) -> bool:
        """Whether the trip count gives the executions of a loop's only block: nothing in it may exit or throw."""
        if loop is None or len(loop.blocks) != 1:
            return False
        return not any(
            instruction.opcode in ("call", "invoke") and not instruction.callee.startswith("@llvm.")
            for instruction in self.graph.blocks[loop.header].instructions
        )

    def _enter_text(self, loop: Loop, number: int, source: str) -> list[str]:
        index = loop.index
        offset = INSTANCE_HEADER + len(self.graph.blocks) + self.sites + index
        frame = f"%ft.f{index}.{number}"
        return [
            f"  %ft.g{index}.{number} = getelementptr i64, ptr %ft.inst, i64 {offset}",
            f"  %ft.o{index}.{number} = load ptr, ptr %ft.g{index}.{number}",
            f"  {frame} = call ptr @ft_enter(ptr %ft.o{index}.{number})",
            f"  %ft.l{index}.{number} = load ptr, ptr {frame}",
            f"  %ft.j{index}.{number} = getelementptr ptr, ptr {frame}, i64 1",
            f"  %ft.i{index}.{number} = load ptr, ptr %ft.j{index}.{number}",
        ]

    def _back_text(self, loop: Loop, number: int, source: str) -> list[str]:
        index = loop.index
        text = [f"  %ft.n{index}.{number} = add i64 %ft.n{index}, 1"]
        if self.options.dependences:
            text.append(f"  call void @ft.step(ptr %ft.i{index})")
        return text

    def _redirect(self, line: str, number: int) -> str:
        """Redirects branches and phis to the edge blocks."""
        label = list(self.graph.blocks)[number]
        stripped = line.lstrip()
        if re.match(r"(br|switch|invoke) |\S+ = invoke ", stripped):
            for target in dict.fromkeys(self.graph.blocks[label].terminator.labels):
                if (label, target) in self.edges:
                    own = f"%ft.e{self.edges[label, target]}"
                    line = re.sub(rf"label %{re.escape(target)}(?![-\w$.])", f"label {own}", line)
        elif re.match(r"\S+ = phi ", stripped) and "%ft.e" not in line:
            line = self._redirect_phi(line, label)
        return line

    def _redirect_phi(self, line: str, label: str) -> str:
        head, _, rest = line.partition(" [ ")
        seen = set()
        kept = []
        for entry in rest.rstrip().removesuffix(" ]").split(" ], [ "):
            value, _, source = entry.rpartition(", ")
            key = (source[1:], label)
            if source[1:] not in self.graph.blocks:
                continue
            if key in self.edges:
                source = f"%ft.e{self.edges[key]}"
            if source in seen and key in self.edges:
                continue
            seen.add(source)
            kept.append(f"[ {value}, {source} ]")
        return f"{head} {', '.join(kept)}"
