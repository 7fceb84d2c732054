"""Statements → a small syntax tree of tuples: (kind, line, label, …), see `Parser.simple`; shared with no front end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .fortran_expr import Expressions, ParseError, closing, expression, items
from .fortran_source import Line, statements

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Unit:
    """A program, module, subroutine, function or derived type scope."""

    kind: str
    name: str
    parameters: list[str] = field(default_factory=list)
    result: str = ""
    declarations: list[Any] = field(default_factory=list)
    uses: list[tuple[str, dict[str, str] | None]] = field(default_factory=list)
    body: list[Any] = field(default_factory=list)
    inner: dict[str, Unit] = field(default_factory=dict)
    types: dict[str, list[Any]] = field(default_factory=dict)
    implicit: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, list[str]] = field(default_factory=dict)
    host: Unit | None = None
    file: str = ""
    elemental: bool = False


TYPE = re.compile(
    r"(double precision|integer|real|logical|character|complex|type|class)\s*(\*\s*\d+|\((?:[^()]|\([^()]*\))*\))?\s*"
)
HEADER = re.compile(
    r"(?P<prefix>(?:(?:recursive|pure|elemental|impure|double precision|integer|real|logical)(?:\*\d+|\([^)]*\))?\s+)*)"
    r"(?P<kind>subroutine|function)\s+(?P<name>\w+)\s*(?:\((?P<args>[^)]*)\))?\s*(?P<tail>.*)$"
)


class Parser:
    """Reads one file into units."""

    def __init__(self, file: Path) -> None:
        self.lines = statements(file)
        self.at = 0
        self.file = file.name
        self.units: list[Unit] = []

    def parse(self) -> list[Unit]:
        while self.at < len(self.lines):
            self.units.append(self.unit(None))
        return self.units

    def unit(self, host: Unit | None) -> Unit:
        line = self.lines[self.at]
        text = line.text
        header = HEADER.match(text)
        if header:
            self.at += 1
            unit = Unit(header["kind"], header["name"], file=self.file, host=host)
            unit.parameters = [a.strip() for a in (header["args"] or "").split(",") if a.strip()]
            result = re.search(r"result\s*\((\w+)\)", header["tail"] or "")
            unit.result = result[1] if result else header["name"]
            prefix = header["prefix"] or ""
            unit.elemental = "elemental" in prefix
            typed = re.search(r"double precision|integer|real|logical", prefix)
            if typed and unit.kind == "function":
                unit.declarations.append(("decl", typed[0], {}, [(unit.result, None, None)]))
        elif match := re.match(r"(program|module)\s+(\w+)$", text):
            self.at += 1
            unit = Unit(match[1], match[2], file=self.file, host=host)
        else:
            unit = Unit("program", "main", file=self.file)
        self.specification(unit)
        unit.body = self.block(unit, lambda t: bool(re.match(r"(end|contains)\b(?!\s*(do|if))", t)))[0]
        if self.current() == "contains":
            self.at += 1
            while not re.match(r"end\b", self.current()):
                inner = self.unit(unit)
                unit.inner[inner.name] = inner
        self.at += 1
        return unit

    def current(self) -> str:
        return self.lines[self.at].text if self.at < len(self.lines) else "end"

    # ------------------------------------------------------------------ declarations

    def specification(self, unit: Unit) -> None:
        while self.at < len(self.lines):
            text = self.current()
            if text.startswith("use "):
                self.use(unit, text)
            elif re.match(r"type\s*(,[^:]*)?(::)?\s*\w+$", text) and not text.startswith("type("):
                self.derived(unit, text)
            elif re.match(r"interface\b", text):
                self.interface(unit)
            elif not self.declaration(unit, text):
                return
            self.at += 1

    def use(self, unit: Unit, text: str) -> None:
        match = re.match(r"use\s*(?:,\s*intrinsic\s*::)?\s*(\w+)\s*(?:,\s*only\s*:\s*(.*))?$", text)
        if not match:
            raise ParseError(text)
        names = None
        if match[2] is not None:
            names = {}
            for item in items(match[2]):
                local, _, remote = item.partition("=>")
                names[local.strip()] = (remote or local).strip()
        unit.uses.append((match[1], names))

    def derived(self, unit: Unit, text: str) -> None:
        name = re.split(r"[:\s]+", text)[-1]
        holder = Unit("type", name)
        self.at += 1
        while not re.match(r"end\s*type", self.current()):
            self.declaration(holder, self.current())
            self.at += 1
        unit.types[name] = holder.declarations

    def interface(self, unit: Unit) -> None:
        generic = self.current().split()[1:] or [""]
        specific: list[str] = []
        while not re.match(r"end\s*interface", self.current()):
            match = re.match(r"module procedure\s*(?:::)?\s*(.*)", self.current())
            if match:
                specific += [s.strip() for s in match[1].split(",")]
            self.at += 1
        if generic[0]:
            unit.interfaces[generic[0]] = specific

    def declaration(self, unit: Unit, text: str) -> bool:
        if re.match(r"(implicit none|save\b|external|intrinsic|private|public|sequence|contiguous)", text):
            return True
        if match := re.match(r"implicit\s+(double precision|real\*8|real|integer)\s*\((.*)\)$", text):
            kind = "integer" if match[1] == "integer" else "real"
            for letters in match[2].split(","):
                first, _, last = letters.strip().partition("-")
                for c in range(ord(first), ord(last or first) + 1):
                    unit.implicit[chr(c)] = kind
            return True
        if match := re.match(r"parameter\s*\((.*)\)$", text):
            unit.declarations.append(("parameter", [self.pair(p) for p in items(match[1])]))
            return True
        if match := re.match(r"dimension\s+(.*)$", text):
            unit.declarations.append(("decl", "", {}, [self.entity(e) for e in items(match[1])]))
            return True
        if text.startswith("common"):
            return self.common(unit, text)
        if match := re.match(r"data\s+(.*)$", text):
            unit.declarations.append(("data", self.data(match[1])))
            return True
        return self.typed(unit, text)

    def typed(self, unit: Unit, text: str) -> bool:
        match = TYPE.match(text)
        if not match:
            return False
        rest = text[match.end() :]
        head, colons, tail = rest.partition("::")
        if colons:
            attributes = self.attributes(head)
        elif (re.match(r"[a-z]\w*\s*(\(|,|$|\*|=)", rest) and not re.match(r"\w+\s*(\([^=]*\))?\s*=", rest)) or match[
            1
        ] in ("type", "class"):
            attributes, tail = {}, rest
        else:
            return False
        kind = match[1]
        if kind in ("type", "class"):
            kind = "type:" + (match[2] or "").strip("() ")
        unit.declarations.append(("decl", kind, attributes, [self.entity(e) for e in items(tail)]))
        return True

    def attributes(self, text: str) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for attribute in items(text.strip().lstrip(",")):
            match = re.match(r"(\w+)\s*(?:\((.*)\))?$", attribute)
            if match:
                out[match[1]] = self.bounds(match[2]) if match[1] == "dimension" else match[2] or True
        return out

    def bounds(self, text: str) -> tuple[Any, ...]:
        reader = Expressions(f"({text})")
        return tuple(reader.arguments())

    def entity(self, text: str) -> tuple[str, Any, Any]:
        match = re.match(r"(\w+)\s*", text)
        if not match:
            raise ParseError(text)
        rest, dims, init = text[match.end() :], None, None
        if rest.startswith("("):
            end = closing(rest, 0)
            dims = self.bounds(rest[1:end])
            rest = rest[end + 1 :].strip()
        if rest.startswith("=>"):
            return match[1], dims, None
        if rest.startswith("="):
            init = expression(rest[1:].strip())
        return match[1], dims, init

    def pair(self, text: str) -> tuple[str, Any]:
        name, _, value = text.partition("=")
        return name.strip(), expression(value.strip())

    def common(self, unit: Unit, text: str) -> bool:
        for block, names in re.findall(r"/\s*(\w*)\s*/\s*([^/]*)", text[6:]):
            unit.declarations.append(("common", block, [self.entity(e) for e in items(names.rstrip(", "))]))
        return True

    def data(self, text: str) -> list[tuple[str, list[Any]]]:
        out = []
        for names, values in re.findall(r"([^/]+)/([^/]*)/", text):
            expanded: list[Any] = []
            for value in items(values):
                repeat, star, what = value.partition("*")
                expanded += [expression(what)] * int(repeat) if star else [expression(value)]
            targets = [n for n in items(names.strip(" ,")) if n]
            if len(targets) == 1:
                out.append((targets[0], expanded))
            else:
                out += [(t, [v]) for t, v in zip(targets, expanded, strict=True)]
        return out

    # ------------------------------------------------------------------ executable part

    def block(self, unit: Unit, ends: Any, label: str = "") -> tuple[list[Any], str]:
        """Statements up to one for which `ends` holds (not consumed), or up to the one labelled `label` (consumed)."""
        out: list[Any] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not label and ends(line.text):
                return out, line.text
            statement = self.statement(unit, line)
            if statement is not None:
                out.append(statement)
            if label and self.closed == label:
                return out, ""
        return out, ""

    closed = ""  # label of the statement just read: ends every DO that names it

    def statement(self, unit: Unit, line: Line) -> Any:
        text = line.text
        construct = ""
        named = re.match(r"(\w+)\s*:\s*(?=do\b|if\s*\(|select\b|where\b)", text)
        if named:
            construct, text = named[1], text[named.end() :]
        self.at += 1
        self.closed = ""
        compound = self.compound(unit, line, text, construct)
        if compound is not None:
            labelled = re.match(r"do\s+(\d+)\b", text)
            self.closed = labelled[1] if labelled else self.lines[self.at - 1].label
            return compound
        self.closed = line.label
        return self.simple(unit, line, text)

    def compound(self, unit: Unit, line: Line, text: str, construct: str) -> Any:
        head = (line.number, line.label)
        if match := re.match(r"do\s+(\d+)\s*,?\s*(\w+\s*=.*)$", text):
            body = self.block(unit, lambda t: False, match[1])[0]
            return ("do", *head, construct, *self.control(match[2]), body)
        if re.match(r"do\b\s*(\w+\s*=.*)?$", text) or re.match(r"do\s+(while|concurrent)\b", text):
            return self.do(unit, head, text, construct)
        if text.startswith("if") and text.endswith("then") and re.match(r"if\s*\(", text):
            return self.conditional(unit, head, text)
        if match := re.match(r"select\s*case\s*\((.*)\)$", text):
            return self.select(unit, head, match[1])
        if match := re.match(r"where\s*\(", text):
            end = closing(text, match.end() - 1)
            if not text[end + 1 :].strip():
                return self.where(unit, head, text[match.end() : end])
        if match := re.match(r"associate\s*\((.*)\)$", text):
            pairs = [tuple(p.strip() for p in a.split("=>")) for a in items(match[1])]
            body = self.block(unit, lambda t: bool(re.match(r"end\s*associate", t)))[0]
            self.at += 1
            return ("associate", *head, [(n, expression(e)) for n, e in pairs], body)
        return None

    def do(self, unit: Unit, head: tuple[int, str], text: str, construct: str) -> Any:
        body = self.block(unit, lambda t: bool(re.match(r"end\s*do\b", t)))[0]
        self.at += 1
        if match := re.match(r"do\s+while\s*\((.*)\)$", text):
            return ("while", *head, construct, expression(match[1]), body)
        if match := re.match(r"do\s+concurrent\s*\(", text):
            end = closing(text, match.end() - 1)
            controls, mask = [], None
            for item in items(re.sub(r"^\s*integer\s*(\([^)]*\))?\s*::", "", text[match.end() : end])):
                if found := re.match(r"(\w+)\s*=\s*(.*)$", item):
                    spans = Expressions(f"({found[2]})").arguments()
                    controls.append((found[1], spans[0]))
                else:
                    mask = expression(item)
            return ("concurrent", *head, controls, mask, body)
        if text == "do":
            return ("while", *head, construct, ("bool", True), body)
        return ("do", *head, construct, *self.control(text[2:]), body)

    def control(self, text: str) -> tuple[str, Any, Any, Any]:
        name, _, rest = text.partition("=")
        parts = [expression(p) for p in items(rest)]
        return name.strip(), parts[0], parts[1], parts[2] if len(parts) > 2 else ("num", 1)

    def conditional(self, unit: Unit, head: tuple[int, str], text: str) -> Any:
        def ends(t: str) -> bool:
            return bool(re.match(r"(else\b|else\s*if|elseif|end\s*if)", t)) and not re.match(r"else\w*\s*=", t)

        arms = []
        condition: Any = self.condition(text)
        while True:
            body, stop = self.block(unit, ends)
            arms.append((condition, body))
            self.at += 1
            if re.match(r"end\s*if", stop):
                return ("if", *head, arms)
            condition = self.condition(stop[4:].strip()) if re.match(r"else\s*if", stop) else None

    def condition(self, text: str) -> Any:
        start = text.index("(")
        return expression(text[start + 1 : closing(text, start)])

    def select(self, unit: Unit, head: tuple[int, str], selector: str) -> Any:
        arms: list[Any] = []
        while True:
            text = self.current()
            self.at += 1
            if re.match(r"end\s*select", text):
                return ("select", *head, expression(selector), arms)
            match = re.match(r"case\s*(?:\((.*)\)|default)$", text)
            if not match:
                raise ParseError(text)
            values = Expressions(f"({match[1]})").arguments() if match[1] else None
            arms.append((values, self.block(unit, lambda t: bool(re.match(r"(case\b|end\s*select)", t)))[0]))

    def where(self, unit: Unit, head: tuple[int, str], mask: str) -> Any:
        arms = []
        condition: Any = expression(mask)
        line = head[0]
        while True:
            body, stop = self.block(unit, lambda t: bool(re.match(r"(else\s*where|end\s*where)", t)))
            arms.append((condition, body, line))
            line = self.lines[self.at].number
            self.at += 1
            if re.match(r"end\s*where", stop):
                return ("where", *head, arms)
            condition = self.condition(stop) if "(" in stop else None

    def simple(self, unit: Unit, line: Line, text: str) -> Any:
        head = (line.number, line.label)
        if re.match(r"(continue|end)$", text) or text.startswith("format"):
            return ("continue", *head)
        if match := re.match(r"if\s*\(", text):
            end = closing(text, match.end() - 1)
            rest = text[end + 1 :].strip()
            if labels := re.fullmatch(r"(\d+)\s*,\s*(\d+)\s*,\s*(\d+)", rest):
                return ("threeway", *head, expression(text[match.end() : end]), labels.groups())
            inner = self.simple(unit, Line(line.number, "", text), rest)
            return ("if", *head, [(expression(text[match.end() : end]), [inner])])
        if match := re.match(r"go\s*to\s*\(([\d,\s]+)\)\s*,?\s*(.*)$", text):
            return ("manyway", *head, [label.strip() for label in match[1].split(",")], expression(match[2]))
        if match := re.match(r"where\s*\(", text):
            end = closing(text, match.end() - 1)
            inner = self.simple(unit, Line(line.number, "", text), text[end + 1 :].strip())
            return ("where", *head, [(expression(text[match.end() : end]), [inner], line.number)])
        if match := re.match(r"call\s+(.*)$", text):
            target = expression(match[1])
            return ("call", *head, target)
        if match := re.match(r"(exit|cycle)\s*(\w*)$", text):
            return (match[1], *head, match[2])
        if match := re.match(r"go\s*to\s+(\d+)$", text):
            return ("goto", *head, match[1])
        if re.match(r"(return|stop|error stop)\b", text):
            return (text.split()[0], *head)
        if match := re.match(r"(allocate|deallocate|nullify)\s*\((.*)\)$", text):
            targets = [expression(t) for t in items(match[2]) if not re.match(r"\w+\s*=", t)]
            return (match[1], *head, targets)
        if match := re.match(r"(print)\s*([^,]*),?(.*)$", text):
            return ("print", *head, [expression(e) for e in items(match[3])])
        if match := re.match(r"write\s*\(", text):
            end = closing(text, match.end() - 1)
            return ("print", *head, [expression(e) for e in items(text[end + 1 :])])
        return self.assignment(head, text)

    def assignment(self, head: tuple[int, str], text: str) -> Any:
        reader = Expressions(text)
        target = reader.reference()
        operator = reader.take()
        if operator not in ("=", "=>"):
            raise ParseError(f"line {head[0]}: not understood: {text!r}")
        value = reader.expression()
        if not reader.done():
            raise ParseError(f"line {head[0]}: left over in {text!r}")
        return ("assign" if operator == "=" else "point", *head, target, value)


def parse(file: Path) -> list[Unit]:
    return Parser(file).parse()
