"""Rewrites a C program so that it counts its own operations, array accesses and loop trips while it runs.

Independent of the analyser and of its front end: the text goes through the C preprocessor and pycparser, and
every arithmetic operator, element access and loop is wrapped in a GNU statement expression. Whether an operation
is a flop is decided by the C compiler (`_Generic`), so no type inference of ours is involved.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from pycparser import c_ast, c_generator, c_parser

HERE = Path(__file__).resolve().parent
COMPILER = ("gcc", "-O1", "-ffp-contract=off", "-fsigned-char", "-w", "-std=gnu11")
KINDS = {"+": "CCT_ADD", "-": "CCT_SUB", "*": "CCT_MUL", "/": "CCT_DIV"}
MATH = {
    *("sqrt", "fabs", "exp", "log", "sin", "cos", "tan", "tanh", "atan", "pow", "cbrt", "floor", "ceil"),
    *("fmin", "fmax", "fma", "sqrtf", "fabsf", "expf", "logf", "sinf", "cosf", "powf"),
}
ALLOCATORS = {"malloc": "cct_malloc", "calloc": "cct_calloc", "aligned_alloc": "cct_aligned_alloc"}


def is_constant(n: c_ast.Node) -> bool:
    """Whether an expression is made of literals only: any compiler folds it."""
    match n:
        case c_ast.Constant():
            return True
        case c_ast.UnaryOp():
            return n.op == "sizeof" or (n.op in "+-~!" and is_constant(n.expr))
        case c_ast.BinaryOp():
            return is_constant(n.left) and is_constant(n.right)
        case c_ast.Cast():
            return is_constant(n.expr)
    return False


def is_access(n: c_ast.Node) -> bool:
    """Whether an expression names a memory location through a subscript, a member or a pointer."""
    return isinstance(n, c_ast.ArrayRef | c_ast.StructRef) or (isinstance(n, c_ast.UnaryOp) and n.op == "*")


def path_of(n: c_ast.Node) -> str:
    """What the source calls the array: subscripts removed, `->` and `.` alike."""
    match n:
        case c_ast.ID():
            return str(n.name)
        case c_ast.ArrayRef():
            return path_of(n.name)
        case c_ast.StructRef():
            return f"{path_of(n.name)}.{n.field.name}"
        case c_ast.UnaryOp():
            return path_of(n.expr)
        case c_ast.BinaryOp():
            return path_of(n.left)
        case c_ast.Cast():
            return path_of(n.expr)
    return "?"


def root_of(n: c_ast.Node) -> str:
    """The variable that an access path starts from."""
    return path_of(n).split(".")[0]


class Assigned(c_ast.NodeVisitor):
    """Names that a function assigns or steps."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Assignment(self, n: c_ast.Assignment) -> None:  # noqa: N802
        if isinstance(n.lvalue, c_ast.ID):
            self.names.add(n.lvalue.name)
        self.generic_visit(n)

    def visit_UnaryOp(self, n: c_ast.UnaryOp) -> None:  # noqa: N802
        if n.op in ("p++", "p--", "++", "--") and isinstance(n.expr, c_ast.ID):
            self.names.add(n.expr.name)
        self.generic_visit(n)


def has_subscript(n: c_ast.Node) -> bool:
    """Whether an explicit subscript, or pointer arithmetic under `*`, occurs in an access path."""
    if isinstance(n, c_ast.ArrayRef):
        return True
    if isinstance(n, c_ast.StructRef):
        return has_subscript(n.name)
    return isinstance(n, c_ast.UnaryOp) and n.op == "*" and isinstance(n.expr, c_ast.BinaryOp)


def through_memory(n: c_ast.Node) -> bool:
    """False for a member of a plain struct variable: that is a scalar."""
    match n:
        case c_ast.ArrayRef():
            return True
        case c_ast.StructRef():
            return n.type == "->" or through_memory(n.name)
        case c_ast.UnaryOp():
            return n.op == "*"
    return False


def _rank(kind: c_ast.Node) -> int:
    return 1 + _rank(kind.type) if isinstance(kind, c_ast.ArrayDecl) else 0


class Instrumenter(c_generator.CGenerator):
    """Writes the program back as C, with counters."""

    def __init__(self) -> None:
        super().__init__()
        self.plain = 0  # > 0 where only constant expressions may stand
        self.function = ""
        self.temporaries = 0
        self.loops: list[str] = []
        self.fixed: set[str] = set()  # parameters never assigned: `p->x` through one is a scalar of its caller
        self.scalars: list[str] = []  # integer variables at file scope
        self.enumerators: set[str] = set()

    # ------------------------------------------------------------------ helpers

    def _fresh(self) -> int:
        self.temporaries += 1
        return self.temporaries

    def _plainly(self, n: c_ast.Node) -> str:
        self.plain += 1
        try:
            return self._visit_expr(n)
        finally:
            self.plain -= 1

    def _constant(self, n: c_ast.Node) -> bool:
        return is_constant(n) or (isinstance(n, c_ast.ID) and n.name in self.enumerators)

    def _location(self, n: c_ast.Node) -> str:
        """An lvalue, its own access not counted, those inside its subscripts counted."""
        match n:
            case c_ast.ArrayRef():
                return f"({self._location(n.name)})[{self._visit_expr(n.subscript)}]"
            case c_ast.StructRef():
                return f"({self._location(n.name)}){n.type}{n.field.name}"
            case c_ast.UnaryOp() if n.op == "*":
                return f"(*({self._location(n.expr)}))"
        return self._visit_expr(n)

    def _record(self, n: c_ast.Node, pointer: str, write: int) -> str:
        name = json.dumps(path_of(n))
        kind = f"CCT_DATA(*{pointer})"
        if isinstance(n, c_ast.StructRef):  # an integer member is a description, not data: told apart
            kind = f"({kind} == 2 ? 3 : {kind})"
        how = 1 if has_subscript(n) else -1 if root_of(n) in self.fixed else 0
        return f"cct_access({name}, {pointer}, sizeof(*{pointer}), {kind}, {how}, {write});"

    def _read(self, n: c_ast.Node) -> str:
        if self.plain:
            return self._location(n)
        if not through_memory(n):
            return f"({{ {self._scalar(n)} {self._location(n)}; }})"
        p = f"cct_p{self._fresh()}"
        return f"(*({{ __auto_type {p} = &({self._location(n)}); {self._record(n, p, 0)} {p}; }}))"

    # ------------------------------------------------------------------ expressions

    def visit_ArrayRef(self, n: c_ast.ArrayRef) -> str:  # noqa: N802
        return self._read(n)

    def visit_StructRef(self, n: c_ast.StructRef) -> str:  # noqa: N802
        return self._read(n)

    def visit_UnaryOp(self, n: c_ast.UnaryOp) -> str:  # noqa: N802
        if n.op in ("sizeof", "_Alignof"):
            self.plain += 1
            try:
                return str(super().visit_UnaryOp(n))
            finally:
                self.plain -= 1
        if n.op == "*":
            return self._read(n)
        if n.op == "&":
            return f"(&({self._location(n.expr)}))"
        if n.op in ("p++", "p--", "++", "--"):
            if is_access(n.expr) and not self.plain:
                return self._bump(n)
            text = self._location(n.expr)
            return f"({text}){n.op[1:]}" if n.op.startswith("p") else f"({n.op}({text}))"
        if n.op == "-" and not self.plain and not self._constant(n.expr):
            x = f"cct_x{self._fresh()}"
            return f"({{ __auto_type {x} = {self._visit_expr(n.expr)}; CCT_OPERATION(CCT_NEG, {x}); -{x}; }})"
        return f"({n.op}({self._visit_expr(n.expr)}))"

    def _bump(self, n: c_ast.UnaryOp) -> str:
        p = f"cct_p{self._fresh()}"
        accesses = self._record(n.expr, p, 0) + " " + self._record(n.expr, p, 1)
        step = f"(*{p}){n.op[1:]}" if n.op.startswith("p") else f"{n.op}(*{p})"
        return f"({{ __auto_type {p} = &({self._location(n.expr)}); {accesses} {step}; }})"

    def visit_BinaryOp(self, n: c_ast.BinaryOp) -> str:  # noqa: N802
        left, right = self._visit_expr(n.left), self._visit_expr(n.right)
        if self.plain or n.op not in KINDS:
            return f"({left} {n.op} {right})"
        kind = KINDS[n.op]
        if self._constant(n.left) and self._constant(n.right):
            kind = "CCT_CONST"
        elif n.op == "/" and self._constant(n.right):
            kind = "CCT_DIV_LITERAL"
        k = self._fresh()
        return (
            f"({{ __auto_type cct_l{k} = {left}; __auto_type cct_r{k} = {right}; "
            f"__auto_type cct_t{k} = cct_l{k} {n.op} cct_r{k}; CCT_OPERATION({kind}, cct_t{k}); cct_t{k}; }})"
        )

    def visit_Assignment(self, n: c_ast.Assignment) -> str:  # noqa: N802
        if n.op == "=":
            return self._assignment(n)
        return self._compound(n)

    def _assignment(self, n: c_ast.Assignment) -> str:
        value = self._visit_expr(n.rvalue)
        rename = self._rename(n.lvalue, n.rvalue)
        if not through_memory(n.lvalue):
            target = self._location(n.lvalue)
            return f"({{ {target} = {value}; {rename} {self._scalar(n.lvalue)} {target}; }})"
        p = f"cct_p{self._fresh()}"
        place = f"__auto_type {p} = &({self._location(n.lvalue)});"
        # the value first: `rename` must see the finished pointer, and constants keep their own type
        return f"({{ {place} *{p} = {value}; {self._record(n.lvalue, p, 1)} {rename} *{p}; }})"

    def _scalar(self, n: c_ast.Node) -> str:
        return f"CCT_SCALAR({json.dumps(path_of(n))}, {self._location(n)});"

    def _compound(self, n: c_ast.Assignment) -> str:
        operator, value, k = n.op[:-1], self._visit_expr(n.rvalue), self._fresh()
        kind = KINDS.get(operator)
        if operator == "/" and self._constant(n.rvalue):
            kind = "CCT_DIV_LITERAL"
        p, v = f"cct_p{k}", f"cct_v{k}"
        memory = through_memory(n.lvalue)
        target = f"(*{p})" if memory else self._location(n.lvalue)
        text = f"__auto_type {p} = &({self._location(n.lvalue)}); " if memory else ""
        text += f"__auto_type {v} = {value}; "
        if kind:
            text += f"CCT_OPERATION({kind}, {target} {operator} {v}); "
        if memory:
            text += self._record(n.lvalue, p, 0) + " " + self._record(n.lvalue, p, 1) + " "
        return f"({{ {text}{target} {n.op} {v}; }})"

    def _rename(self, target: c_ast.Node, value: c_ast.Node) -> str:
        """An allocated object takes the name of the first variable that it is assigned to."""
        while isinstance(value, c_ast.Cast):
            value = value.expr
        if not isinstance(value, c_ast.FuncCall) or not isinstance(value.name, c_ast.ID):
            return ""
        if value.name.name in MATH:
            return ""
        place, name = self._location(target), json.dumps(path_of(target))
        return (
            f"__builtin_choose_expr(__builtin_classify_type({place}) == 5, "
            f"cct_rename({name}, *(const void *const *)&({place}), "
            f"sizeof(*__builtin_choose_expr(__builtin_classify_type({place}) == 5, {place}, (char *)0))), (void)0);"
        )

    def visit_FuncCall(self, n: c_ast.FuncCall) -> str:  # noqa: N802
        args = ", ".join(self._visit_expr(a) for a in n.args.exprs) if n.args is not None else ""
        if isinstance(n.name, c_ast.ID):
            name = n.name.name
            if name in MATH and not self.plain:
                return f'({{ cct_call("{name}"); {name}({args}); }})'
            return f"{ALLOCATORS.get(name, name)}({args})"
        return f"({self._location(n.name)})({args})"

    def visit_TernaryOp(self, n: c_ast.TernaryOp) -> str:  # noqa: N802
        parts = (self._visit_expr(e) for e in (n.cond, n.iftrue, n.iffalse))
        return "(({}) ? ({}) : ({}))".format(*parts)

    def visit_Cast(self, n: c_ast.Cast) -> str:  # noqa: N802
        return f"(({self._generate_type(n.to_type, emit_declname=False)})({self._visit_expr(n.expr)}))"

    # ------------------------------------------------------------------ declarations

    def _generate_type(self, *args: object, **kwargs: object) -> str:
        self.plain += 1
        try:
            return str(super()._generate_type(*args, **kwargs))
        finally:
            self.plain -= 1

    def visit_Decl(self, n: c_ast.Decl, no_type: bool = False) -> str:  # noqa: N802
        static = not self.function or "static" in n.storage
        self.plain += static
        try:
            return str(super().visit_Decl(n, no_type))
        finally:
            self.plain -= static

    def visit_Enumerator(self, n: c_ast.Enumerator) -> str:  # noqa: N802
        self.enumerators.add(n.name)
        self.plain += 1
        try:
            return str(super().visit_Enumerator(n))
        finally:
            self.plain -= 1

    def _generate_stmt(self, n: c_ast.Node, add_indent: bool = False) -> str:
        text = str(super()._generate_stmt(n, add_indent))
        if isinstance(n, c_ast.Decl) and self.function and n.name and not isinstance(n.type, c_ast.FuncDecl):
            text += self._declared(n)
        return text

    def _declared(self, n: c_ast.Decl) -> str:
        if isinstance(n.type, c_ast.ArrayDecl):
            text = f"cct_object({json.dumps(n.name)}, {n.name}, sizeof({n.name}), 1);\n"
            if n.init is not None and "static" not in n.storage:
                element = n.name + "[0]" * _rank(n.type)
                many = f"sizeof({n.name}) / sizeof({element})"
                text += f"cct_initialised({json.dumps(n.name)}, CCT_KIND({element}), {many});\n"
            return text
        if n.init is not None and "static" not in n.storage:
            return f"{self._rename(c_ast.ID(n.name), n.init)} {self._scalar(c_ast.ID(n.name))}\n"
        return ""

    # ------------------------------------------------------------------ statements

    def visit_FuncDef(self, n: c_ast.FuncDef) -> str:  # noqa: N802
        declaration = self.visit(n.decl)
        self.function = n.decl.name
        assigned = Assigned()
        assigned.visit(n.body)
        parameters = getattr(n.decl.type.args, "params", ())
        self.fixed = {p.name for p in parameters if getattr(p, "name", None)} - assigned.names
        keys = "".join(self._key(p) for p in parameters if getattr(p, "name", None))
        scalars = "".join(f"CCT_SCALAR({json.dumps(g)}, {g}); " for g in self.scalars)
        record = f"cct_function_{self._fresh()}"
        where = f"{json.dumps(Path(n.coord.file).name)}, {json.dumps(self.function)}, 0"
        self.loops.append(f"static const cct_loop {record} = {{{where}}};")
        body = self.visit(n.body)
        self.function = ""
        restore = "int cct_h __attribute__((cleanup(cct_restore_header), unused)) = cct_header;"
        begin = f"CCT_SAVE; {restore} cct_begin(&{record}); {keys} cct_activate(); {scalars}"
        return f"{declaration}\n{{ {begin}\n{body}}}\n"

    def _key(self, parameter: c_ast.Decl) -> str:
        """What tells one call from another: integers by value, structs by address, arrays as objects."""
        name, kind = parameter.name, parameter.type
        record = "0"
        if isinstance(kind, c_ast.PtrDecl) and isinstance(kind.type, c_ast.TypeDecl):
            pointed = kind.type.type
            if not (isinstance(pointed, c_ast.IdentifierType) and pointed.names == ["void"]):
                record = f"__builtin_classify_type(*{name}) == 12"
        return f"cct_key({json.dumps(name)}, __builtin_classify_type({name}), &{name}, sizeof({name}), {record}); "

    def visit_Case(self, n: c_ast.Case) -> str:  # noqa: N802
        return f"case {self._plainly(n.expr)}:;\n" + self._generate_body(n.stmts or [])

    def visit_Pragma(self, n: c_ast.Pragma) -> str:  # noqa: N802
        return ";"

    def visit_Label(self, n: c_ast.Label) -> str:  # noqa: N802
        return f"{n.name}:;\n{self._generate_stmt(n.stmt)}"

    def _enter(self, n: c_ast.Node) -> str:
        name = f"cct_loop_{self._fresh()}"
        file = Path(n.coord.file).name
        self.loops.append(
            f"static const cct_loop {name} = {{{json.dumps(file)}, {json.dumps(self.function)}, {n.coord.line}}};"
        )
        return f"CCT_SAVE; int cct_around __attribute__((unused)) = cct_header; cct_enter(&{name});"

    def _head(self, n: c_ast.Node | None, default: str, part: int = 2) -> str:
        """A part of a loop head: what it does is kept apart from the body."""
        if n is None:
            return default
        k = self._fresh()
        value = f"__auto_type cct_c{k} = ({self._visit_expr(n)});"
        return f"({{ int cct_k{k} = cct_header; cct_header = {part}; {value} cct_header = cct_k{k}; cct_c{k}; }})"

    def visit_For(self, n: c_ast.For) -> str:  # noqa: N802
        init = ""
        if isinstance(n.init, c_ast.DeclList):
            init = f"cct_header = 1; {self.visit(n.init)}; cct_header = cct_around;"
        elif n.init is not None:
            init = f"cct_header = 1; {self._visit_expr(n.init)}; cct_header = cct_around;"
        enter, cond, step = self._enter(n), self._head(n.cond, "1"), self._head(n.next, "", 3)
        return f"{{ {enter} {init} for (; {cond}; {step}) {{ cct_iterate();\n{self._generate_stmt(n.stmt)} }} }}"

    def visit_While(self, n: c_ast.While) -> str:  # noqa: N802
        enter, cond = self._enter(n), self._head(n.cond, "1")
        return f"{{ {enter} while ({cond}) {{ cct_iterate();\n{self._generate_stmt(n.stmt)} }} }}"

    def visit_DoWhile(self, n: c_ast.DoWhile) -> str:  # noqa: N802
        if isinstance(n.cond, c_ast.Constant) and n.cond.value == "0":  # a block that a macro dresses as a loop
            return f"do {{ {self._generate_stmt(n.stmt)} }} while (0);"
        enter, cond = self._enter(n), self._head(n.cond, "1")
        return f"{{ {enter} do {{ cct_iterate();\n{self._generate_stmt(n.stmt)} }} while ({cond}); }}"

    def program(self, tree: c_ast.FileAST) -> str:
        whole = ({"int"}, {"long"}, {"size_t"}, {"unsigned"}, {"long", "int"})
        for d in tree.ext:
            kind = getattr(getattr(d, "type", None), "type", None)
            if (
                isinstance(d, c_ast.Decl)
                and isinstance(d.type, c_ast.TypeDecl)
                and isinstance(kind, c_ast.IdentifierType)
            ):
                self.scalars += [d.name] if set(kind.names) in whole else []
        text = self.visit(tree)
        arrays = [d for d in tree.ext if isinstance(d, c_ast.Decl) and isinstance(d.type, c_ast.ArrayDecl)]
        names = [d.name for d in arrays if "extern" not in d.storage]
        registered = "".join(f"cct_object({json.dumps(g)}, {g}, sizeof({g}), 1); " for g in names)
        constructor = f"__attribute__((constructor)) static void cct_globals(void) {{ {registered} }}\n"
        return '#include "runtime.h"\n' + "\n".join(self.loops) + "\n" + text + constructor


def preprocess(file: Path, defines: dict[str, str], includes: list[Path]) -> str:
    command = ["gcc", "-E", "-nostdinc", f"-I{HERE / 'include'}", *(f"-I{i}" for i in includes)]
    command += [f"-D{k}={v}" for k, v in defines.items()] + [str(file)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def instrument(file: Path, defines: dict[str, str], includes: list[Path]) -> str:
    text = preprocess(file, defines, includes)
    # pycparser knows C11, not the GNU spellings
    for gnu, standard in (("__restrict__", "restrict"), ("__restrict", "restrict"), ("__inline__", "inline")):
        text = text.replace(gnu, standard)
    return Instrumenter().program(c_parser.CParser().parse(text, str(file)))


def run_plain(files: list[Path], defines: dict[str, str], work: Path) -> str:
    """The output of the program as it was written."""
    command = ["gcc", "-O0", "-ffp-contract=off", "-fsigned-char", "-w", "-std=gnu11", "-o", str(work / "plain")]
    command += [f"-D{k}={v}" for k, v in defines.items()] + [str(f) for f in files] + ["-lm"]
    if any(f.suffix not in (".c", ".h") for f in files):
        command.append("-lgfortran")
    subprocess.run(command, check=True)
    return subprocess.run([str(work / "plain")], check=True, capture_output=True, text=True).stdout


@functools.cache
def runtime() -> Path:
    """What instrumented programs are linked with, compiled once."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    target = folder / "runtime.o"
    subprocess.run([*COMPILER, "-c", str(HERE / "runtime.c"), "-o", str(target)], check=True)
    return target


def count(
    files: list[Path], defines: dict[str, str], original: list[Path] | None = None
) -> tuple[list[dict[str, object]], str]:
    """The loop-context tree of a run, and what the program printed: the same as the program that was not changed.

    `original` are the files of that program, where they are not those that are counted (a part is in Fortran)."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        sources = []
        for i, file in enumerate(files):
            target = work / f"unit{i}.c"
            target.write_text(instrument(file, defines, [file.parent]))
            sources.append(str(target))
        command = [*COMPILER, f"-I{HERE}", "-o", str(work / "counted"), *sources, str(runtime()), "-lm"]
        subprocess.run(command, check=True)
        environment = {**os.environ, "CCT_OUTPUT": str(work / "counts.json")}
        run = subprocess.run([str(work / "counted")], check=True, capture_output=True, text=True, env=environment)
        plain = run_plain(original or files, defines, work)
        if run.stdout != plain:
            raise RuntimeError(f"{files[0]}: the instrumented program printed {run.stdout!r}, the original {plain!r}")
        return json.loads((work / "counts.json").read_text()), run.stdout
