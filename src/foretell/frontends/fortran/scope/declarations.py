"""Reads the specification part of a unit into its scope."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.data import note_data
from foretell.frontends.fortran.scope.symbols import ProcedureInfo, Scope, Symbol, Use

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.frontends.fortran.text.parse import Node, Tree


def text(node: Node) -> str:
    """The source text of a node."""
    raw: bytes = node.text
    return raw.decode()


def child(node: Node, *types: str) -> Node | None:
    """The first child of one of these types."""
    return next((part for part in node.named_children if part.type in types), None)


def subtree(node: Node) -> Iterator[Node]:
    """A node and all nodes below it."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(part.named_children)


def texts(node: Node | None, *types: str) -> list[str]:
    """The source texts of all children of these types."""
    return [] if node is None else [text(part) for part in node.named_children if part.type in types]


def declare_unit(scope: Scope, tree: Tree) -> None:
    """Reads every specification statement directly under a unit (or BLOCK, or derived type) node."""
    scope.tree = tree
    declare_all(scope, tree, tree.root)
    if tree.data:
        note_data(scope, tree)


def declare_all(scope: Scope, tree: Tree, node: Node) -> None:
    for part in node.named_children:
        handler = _HANDLERS.get(part.type)
        if handler is not None:
            handler(scope, tree, part)


def _procedure_header(node: Node, module: str) -> tuple[ProcedureInfo, Node | None]:
    """The contents of a SUBROUTINE, FUNCTION or ENTRY statement, and the type before FUNCTION, if any."""
    name = text(node.child_by_field_name("name"))
    names = tuple(texts(child(node, "parameters"), "identifier"))
    function = node.type == "function_statement"
    result = child(node, "function_result")
    result_name = name if function or result is not None else ""
    if result is not None:
        result_name = (texts(result, "identifier") or [name])[0]
    binding = child(node, "language_binding")
    info = ProcedureInfo(name, "function" if function else "subroutine", names, None, result_name, link=name)
    info.elemental = "elemental" in texts(node, "procedure_qualifier")
    info.link_names = (_bound_name(binding, name) if binding is not None else _linker_name(name, module),)
    return info, node.child_by_field_name("type")


def _linker_name(name: str, module: str) -> str:
    return f"__{module}_MOD_{name}" if module else f"{name}_"


def _bound_name(binding: Node, name: str) -> str:
    given = [part.child_by_field_name("value") for part in binding.named_children if part.type == "keyword_argument"]
    literals = (text(value)[1:-1].strip() for value in given if value is not None and value.type == "string_literal")
    return next(literals, "") or name


def declare_procedure(scope: Scope, tree: Tree, module: str) -> ProcedureInfo:
    """Header and specification part of a procedure; its dummies and result become symbols of `scope`."""
    header = child(tree.root, "subroutine_statement", "function_statement")
    if header is None:
        info = ProcedureInfo(scope.name, "subroutine", (), scope, link=scope.name)
        info.link_names = (_linker_name(scope.name, module),)
        result_type = None
    else:
        info, result_type = _procedure_header(header, module)
    scope.tree = tree
    _declare_interface(scope, tree, tree.root, info, result_type)
    if tree.data:
        note_data(scope, tree)
    return info


def _declare_interface(scope: Scope, tree: Tree, node: Node, info: ProcedureInfo, result_type: Node | None) -> None:
    """Declares the dummies, the specification part and the result of a procedure."""
    info.scope = scope
    for name in info.parameters:
        scope.declare(name, tree.line(node)).dummy = True
    declare_all(scope, tree, node)
    if info.kind == "function":
        symbol = scope.declare(info.result, tree.line(node), "variable")
        symbol.is_result = True
        symbol.type_node = symbol.type_node or result_type


# --------------------------------------------------------------------------------------------- statements


def _variables(scope: Scope, tree: Tree, node: Node) -> None:
    """integer, dimension(3) :: a, b(4) = 1, …"""
    type_node = node.child_by_field_name("type")
    attributes = [part for part in node.named_children if part.type == "type_qualifier"]
    for declarator in _declarators(node):
        symbol = _declarator(scope, tree, declarator)
        if symbol is None:
            continue
        if symbol.kind == "unknown":
            symbol.kind = "variable"
        if type_node is not None:
            symbol.type_node = type_node
            if type_node.type == "procedure":
                pointer = any(text(part) == "pointer" for part in type_node.named_children)
                symbol.attributes.add("procedure pointer" if pointer else "external")
                symbol.members = texts(type_node, "procedure_interface")[:1] or symbol.members
        for attribute in attributes:
            _attribute(symbol, attribute)


def _modification(scope: Scope, tree: Tree, node: Node) -> None:
    """dimension a(3); allocatable :: b; intent(in) c; external f."""
    qualifier = child(node, "type_qualifier")
    for declarator in _declarators(node):
        symbol = _declarator(scope, tree, declarator)
        if symbol is not None and qualifier is not None:
            _attribute(symbol, qualifier)
            if symbol.dims is not None and symbol.kind == "unknown":
                symbol.kind = "variable"


def _declarators(node: Node) -> Iterator[Node]:
    for part in node.children_by_field_name("declarator"):
        if part.is_named:
            yield part


def _declarator(scope: Scope, tree: Tree, node: Node) -> Symbol | None:
    """name, name(dims), name*len, name = init, name => null(), name/data/."""
    init = dims = size_after = None
    if node.type in ("init_declarator", "pointer_init_declarator", "data_declarator"):
        init = node.child_by_field_name("right") if node.type != "pointer_init_declarator" else None
        node = node.child_by_field_name("left")
    while node is not None and node.type in ("sized_declarator", "coarray_declarator"):
        dims = child(node, "size")
        size_after = size_after or child(node, "character_length")
        node = child(node, "identifier", "sized_declarator")
    if node is None or node.type not in ("identifier", "name"):
        return None
    symbol = scope.declare(text(node), tree.line(node))
    symbol.line = tree.line(node)
    symbol.dims = dims or symbol.dims
    symbol.size_after = size_after or symbol.size_after
    symbol.init = init or symbol.init
    return symbol


def _attribute(symbol: Symbol, node: Node) -> None:
    words = text(node)
    word = words.split("(")[0].strip()
    if word == "dimension":
        symbol.dims = symbol.dims or child(node, "argument_list")
    elif word == "intent":
        inside = words.partition("(")[2].rstrip(") ").replace(" ", "").lower()
        symbol.intent = "inout" if inside == "inout" else "in" if inside == "in" else "out"
    else:
        symbol.attributes.add(word)
        if word in ("external", "intrinsic"):
            symbol.kind = "procedure"


def _parameter(scope: Scope, tree: Tree, node: Node) -> None:
    for part in node.named_children:
        if part.type == "parameter_assignment" and len(part.named_children) == 2:
            name, value = part.named_children
            symbol = scope.declare(text(name), tree.line(name), "variable")
            symbol.attributes.add("parameter")
            symbol.init = value


def _implicit(scope: Scope, tree: Tree, node: Node) -> None:
    if child(node, "none") is not None:
        scope.implicit_none = True
        return
    table = dict(scope.implicit)
    type_node = None
    for part in node.named_children:
        if part.type in ("intrinsic_type", "derived_type"):
            type_node = part
        elif part.type == "implicit_range" and type_node is not None:
            first, _, last = text(part).replace(" ", "").partition("-")
            last = last or first
            if len(first) == len(last) == 1:
                letters = [letter for letter in string.ascii_lowercase if first <= letter <= last]
                table |= {letter: scope.lowering.type_of_node(type_node) for letter in letters}
    scope.implicit = table
    scope.implicit_none = False


def _use(scope: Scope, tree: Tree, node: Node) -> None:
    name = child(node, "module_name")
    if name is None:
        return
    included = child(node, "included_items")
    renames: list[tuple[str, str]] = []
    for part in (*node.named_children, *(included.named_children if included is not None else ())):
        if part.type == "use_alias":
            local, original = texts(part, "local_name"), texts(part, "identifier")
            renames.append(((local or [""])[0], (original or [""])[0]))
        elif part.type == "identifier":
            renames.append((text(part), text(part)))
    use = Use(text(name), tuple(renames), included is not None, tree.line(node))
    scope.uses.append(use)
    if use.module not in scope.modules and use.module not in kinds.INTRINSIC_MODULES:
        scope.say(use.line, f"module {use.module!r} is not in the given files; what it declares is unknown", "note")


def _common(scope: Scope, tree: Tree, node: Node, block: str = "") -> None:
    for part in node.named_children:
        if part.type == "variable_group":
            _common(scope, tree, part, "".join(texts(part, "name")[:1]))
        elif part.type in ("identifier", "sized_declarator"):
            symbol = _declarator(scope, tree, part)
            if symbol is not None:
                symbol.kind = "variable"
                symbol.common = f"/{block}/"


def _equivalence(scope: Scope, tree: Tree, node: Node) -> None:
    line = tree.line(node)
    message = f"{text(node)}: names that share storage are treated as separate variables"
    scope.equivalences.append((line, message))
    scope.say(line, message)


def _derived_type(scope: Scope, tree: Tree, node: Node) -> None:
    statement = child(node, "derived_type_statement")
    name = child(statement, "type_name", "name", "identifier") if statement is not None else None
    if name is None or statement is None:
        return
    symbol = scope.declare(f"type {text(name)}", tree.line(node), "type")
    symbol.definition = node
    symbol.attributes.update(texts(statement, "access_specifier"))


def _interface(scope: Scope, tree: Tree, node: Node) -> None:
    statement = child(node, "interface_statement", "abstract_interface_statement")
    name_node = child(statement, "name", "identifier") if statement is not None else None
    members: list[str] = []
    for part in node.named_children:
        if part.type in ("subroutine", "function"):
            members.append(_interface_body(scope, tree, part))
        elif part.type == "procedure_statement":
            members += texts(part, "method_name", "identifier")
    if name_node is not None:
        symbol = scope.declare(text(name_node), tree.line(node))
        symbol.kind = "generic" if symbol.kind == "unknown" else symbol.kind
        symbol.members += members


def _interface_body(scope: Scope, tree: Tree, node: Node) -> str:
    header = child(node, "subroutine_statement", "function_statement")
    if header is None:
        return ""
    info, result_type = _procedure_header(header, "")
    if child(header, "language_binding") is not None:
        info.link = info.link_names[0]  # a C function, by its C name
    _declare_interface(scope.lowering.inner("interface", info.name).scope, tree, node, info, result_type)
    scope.declare(info.name, tree.line(header), "procedure").procedure = info
    return info.name


def _private(scope: Scope, tree: Tree, node: Node) -> None:
    names = texts(node, "identifier")
    scope.private.update(names)
    scope.private_default = scope.private_default or (not names and scope.kind == "module")


def _save(scope: Scope, tree: Tree, node: Node) -> None:
    for name in texts(node, "identifier"):
        scope.declare(name, tree.line(node)).attributes.add("save")


def _enum(scope: Scope, tree: Tree, node: Node) -> None:
    """Enumerators; one without a value is the previous one plus 1."""
    before = ""
    for part in node.named_children:
        if part.type == "enumerator_statement":
            for declarator in _declarators(part):
                symbol = _declarator(scope, tree, declarator)
                if symbol is not None:
                    symbol.kind = "variable"
                    symbol.attributes |= {"parameter", "enumerator"}
                    symbol.members = [before] if before else []
                    before = symbol.name


_HANDLERS: dict[str, Callable[[Scope, Tree, Node], None]] = {
    "variable_declaration": _variables,
    "variable_modification": _modification,
    "parameter_statement": _parameter,
    "implicit_statement": _implicit,
    "use_statement": _use,
    "common_statement": _common,
    "equivalence_statement": _equivalence,
    "derived_type_definition": _derived_type,
    "interface": _interface,
    "private_statement": _private,
    "public_statement": lambda scope, _, node: scope.public.update(texts(node, "identifier")),
    "save_statement": _save,
    "enum": _enum,
}
