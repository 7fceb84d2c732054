"""A first `foretell.toml`: functions with loops, kernels of CUDA sources, what compile_commands.json lists."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.assembly.loops import find_loops
from foretell.codegen.compiled.database import commands_in
from foretell.codegen.compiled.dry_run import make_flags, makefile_of
from foretell.codegen.compiled.flags import usable_flags
from foretell.codegen.compiled.installed import usual_compiler
from foretell.codegen.compiled.unit import compile_unit
from foretell.errors import InputError
from foretell.files import real
from foretell.frontends import SourceOptions, read_sources
from foretell.frontends.native.arguments import split_list
from foretell.frontends.native.cxx_functions import defined_functions
from foretell.frontends.native.functions import demangled
from foretell.uses.check.configured.kernel_parameters import parameters_and_body, usual_arguments
from foretell.uses.check.configured.usual_values import decides, said, usual, usual_sizes
from foretell.uses.check.dependences import HEADERS
from foretell.uses.check.items import kernel_templates, kernels, without_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.nest.loopnest import LoopNest, Loops

#: folders that hold no sources of the project
_SKIPPED = {".git", "build", "node_modules", "third_party", "external", "vendor", "venv", ".venv"}
_MOST_FILES = 400
#: of GPU kernels with indices along one, two or three axes: elements along each, and threads of a block
_EDGES, _BLOCKS = (1 << 20, 1 << 10, 1 << 7), ((256,), (32, 8), (32, 4, 2))
_AXES = "xyz"
_CXX, _HEADERS = (".cpp", ".cc", ".cxx"), (".h", ".hpp", ".hh", ".hxx")
_LANGUAGES = ((".c",), (".f90",), (".cu",), _CXX)
_SOURCES = tuple(suffix for language in _LANGUAGES for suffix in language)
#: flags of C++ that no database lists, and folders of headers beside them; a size of its arrays, and most elements
_CXX_FLAGS, _CXX_FOLDERS, _CXX_SIZE, _MOST_ELEMENTS = "-O2", ("include", "src"), 1000, 4_000_000
_DATABASE = "compile_commands.json"
#: the start of a table; what stands behind the function of a header, and in tables of C++
_HEADING = re.compile(r'\[code\.(.+)\]\nfile = "(.*)"')
_NOT_OWN, _CXX_LINE = '"  # of ', "args = "
_INLINED = "no code of their own (inlined, or templates that nobody uses): compared as parts of their callers"
#: types and values that arguments of templates are made of
_CONCRETE = re.compile(r"\d+|true|false|(?:unsigned |signed )?(?:float|double|int|long|short|char|bool|half|__half)\d?")
#: flags whose operand is a file or a folder
_WITH_FOLDER = ("-isystem", "-iquote", "-include", "-I")


def first_configuration(folder: Path, machines: tuple[str, ...]) -> str:
    """The text of a first file; an error where there is nothing to compare."""
    codes = _distinct(text for path in _sources(folder) for text in _tables(path, folder))
    codes += _of_headers(folder, codes)
    if machines:  # of all codes
        codes = [re.sub(r"^machines = .*\n", "", text, flags=re.MULTILINE) for text in codes]
    if not codes:
        raise InputError(
            "no function with a loop and no kernel was found", file=folder, hint="write [code.NAME] yourself"
        )
    head = f"machines = {json.dumps(machines)}\n" if machines else ""
    return "\n".join([f'{head}limit = "5%"  # of growth, for every code\n', *codes]).rstrip("\n") + "\n"


def _text(value: str) -> str:
    """A string as TOML has it, in the letters that it is written in."""
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _distinct(codes: Iterable[str]) -> list[str]:
    """Tables with names of their own: a function of a header is listed with the first source that includes it, another
    function with a name that is taken has that of its file as well."""
    listed, made = {}, []
    for text in codes:
        found = _HEADING.match(text)
        if found is None:
            made.append(text)
        elif found[1] not in listed:
            listed[found[1]] = text
            made.append(text)
        elif _NOT_OWN in text or (_CXX_LINE in text and _without_file(text) == _without_file(listed[found[1]])):
            continue
        else:
            name = json.dumps(f"{json.loads(found[1]) if found[1][0] == chr(34) else found[1]} in {found[2]}")
            made.append(text.replace(found[0], f'[code.{name}]\nfile = "{found[2]}"', 1))
    return made


def _without_file(text: str) -> str:
    """A table but for its file and flags: of C++, the same name and parameters are the same function."""
    return re.sub(r"^(?:file|flags) = .*\n", "", text, flags=re.MULTILINE)


def _of_headers(folder: Path, codes: list[str]) -> list[str]:
    """Comments on functions with loops in headers of C++ that are compiled only as parts of others."""
    if not any(_CXX_LINE in text or text.startswith("# ") for text in codes) or not _found(folder, _CXX):
        return []
    named, said = "\n".join(codes), []
    for path in _found(folder, _HEADERS):
        own = [one.name for one in defined_functions(files.read_text(path)) if one.loops]
        inside = [name for name in dict.fromkeys(own) if not re.search(rf"(?:: |\"){re.escape(name)}[(\"]", named)]
        if inside:
            where = _relative(path, folder)
            said.append(f"# {where}: {', '.join(inside)}: {_INLINED}\n")
    return said


def _sources(folder: Path) -> list[Path]:
    """The sources of a compilation database, and those below a folder in languages of which it lists none."""
    listed = _database(folder)
    known = {file.suffix for file in listed}
    others = tuple(suffix for language in _LANGUAGES if not known & {*language} for suffix in language)
    return [*listed, *(_found(folder, others) if others else [])][:_MOST_FILES]


def _found(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Files of the project with these suffixes."""
    found = []
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        found += [Path(base) / name for name in sorted(names) if Path(name).suffix in suffixes]
    return found[:_MOST_FILES]


def _database(folder: Path) -> list[Path]:
    for path in (folder / _DATABASE, folder / "build" / _DATABASE):
        if path.is_file():
            try:
                entries = json.loads(files.read_text(path))
                named = [real(path.parent / entry.get("directory", ".") / entry["file"]) for entry in entries]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise InputError(f"is not a compilation database: {error}", file=path) from None
            inside = [file for file in named if file.is_relative_to(real(folder)) and file.suffix in _SOURCES]
            return sorted(set(inside))[:_MOST_FILES]
    return []


def _tables(path: Path, folder: Path) -> Iterator[str]:
    """The tables of a file; one that cannot be read is named in a comment."""
    name = real(path).relative_to(real(folder)).as_posix()
    try:
        if path.suffix in _CXX:
            yield from _cxx_tables(path, name, folder)
        else:
            yield from (
                _kernel_tables(path, name, folder) if path.suffix == ".cu" else _function_tables(path, name, folder)
            )
    except InputError as error:
        yield f"# {name}: not read: {' '.join(error.message.split())}\n"


def _kernel_tables(path: Path, name: str, folder: Path) -> Iterator[str]:
    whole, folders = _with_headers(path, _found(folder, HEADERS))
    text = without_comments(whole)
    flags = " ".join(f"-I{one}" for one in dict.fromkeys(_relative(header, folder) for header in folders))
    compiled = f"nvcc = {_text(flags)}\n" if flags else ""
    instances = _instances(text)
    for kernel, spelled, typed in (*((kernel, kernel, text) for kernel in kernels(text)), *instances):
        yield _kernel_table(name, kernel, spelled, typed, compiled)
    for kernel in sorted({*kernel_templates(text)} - {kernel for kernel, _, _ in instances}):
        yield f'# {name}: {kernel} is a template that nobody launches here: write its table, kernel = "{kernel}<…>"\n'


def _kernel_table(name: str, kernel: str, spelled: str, text: str, compiled: str) -> str:
    """The table of a kernel; a comment where the types of its parameters do not say enough."""
    parameters, body = parameters_and_body(text, kernel)
    grid, block, edge = _launch(body)
    elements = edge ** max(len(grid), len(block))
    try:
        listed, reason = json.dumps(usual_arguments(text, parameters, edge, elements)), ""
    except InputError as error:
        listed, reason = f"[…]  # {', '.join(parameters)}", f"# {name}: {spelled}: {error.message}\n"
    table = (
        f"[code.{_key(spelled)}]\nfile = {_text(name)}\nkernel = {_text(spelled)}\n"
        f'machines = ["h200"]\ngrid = {list(grid)}  # set the launch and the arguments of a usual call\n'
        f"block = {list(block)}\nargs = {listed}\n{compiled}"
    )
    return reason + re.sub("^(?=.)", "# ", table, flags=re.MULTILINE) if reason else table


def _with_headers(path: Path, known: Sequence[Path], seen: frozenset[Path] = frozenset()) -> tuple[str, list[Path]]:
    """The text of a source behind those of the headers of the project that it includes, and the folders in which
    headers are that are not beside the files that name them. `known`: all headers of the project."""
    text, whole, folders = files.read_text(path), "", list[Path]()
    for named in re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', text, re.MULTILINE):
        places = [path.parent / named, *(one for one in known if one.as_posix().endswith(f"/{named}"))]
        header = next((one for one in places if one.is_file()), None)
        if header is not None and real(header) not in seen:
            seen |= {real(header)}
            folders += [header.parents[named.count("/")]] * (header != places[0])
            inside, further = _with_headers(header, known, seen)
            whole, folders = whole + inside, folders + further
    return whole + text, folders


def _instances(text: str) -> list[tuple[str, str, str]]:
    """Instances of templates of kernels that are launched or asked for: the kernel, its name with arguments, and the
    text with these in the place of the template's parameters."""
    made = {}
    for kernel, parameters in kernel_templates(text).items():
        names = [one.partition("=")[0].split()[-1] for one in parameters.split(",") if one.strip()]
        for found in re.finditer(rf"\b{kernel}\s*<([^<>;(){{}}]*)>\s*(?=<<<|\()", text):
            given = [" ".join(one.split()) for one in found[1].split(",")]
            if given and all(_CONCRETE.fullmatch(one) for one in given):
                typed = text
                for own, value in zip(names, given, strict=False):
                    typed = re.sub(rf"\b{own}\b", value, typed)
                spelled = f"{kernel}<{', '.join(given)}>"
                made[spelled] = (kernel, spelled, typed)
    return [made[spelled] for spelled in sorted(made)]


def _launch(body: str) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Grid and block along the axes that the body of a kernel uses, and the elements along each of them."""
    blocks, threads = (
        [axis for axis in range(3) if re.search(rf"\b{word}\s*\.\s*{_AXES[axis]}\b", body)] or [0]
        for word in ("blockIdx", "threadIdx")
    )
    edge, block = _EDGES[max(*blocks, *threads)], _BLOCKS[max(threads)]
    wide = (*block, *(1 for _ in _AXES))
    grid = tuple(edge // wide[axis] if axis in blocks else 1 for axis in range(max(blocks) + 1))
    return grid, block, edge


_CXX_TYPES = {"float": "f32", "double": "f64", "int": "i32", "long": "i64", "long long": "i64", "short": "i16",
              "char": "i8", "signed char": "i8", "bool": "i8"}  # fmt: skip


def _flags(path: Path, folder: Path) -> str:
    """The flags of a file in the compilation database, with folders of the project relative to it: each version is
    compiled in a folder of its own."""
    for place in (folder / _DATABASE, folder / "build" / _DATABASE):
        for directory, flags in commands_in(place, path):
            words, kept = iter(usable_flags(shlex.split(flags))), []
            for word in words:
                option = next((one for one in _WITH_FOLDER if word.startswith(one)), "")
                named = word.removeprefix(option) or next(words, "")
                kept.append(f"{option}{_relative(directory / named, folder)}" if option else word)
            return shlex.join(kept)
    return _makefile_flags(path, folder)


def _makefile_flags(path: Path, folder: Path) -> str:
    """The flags that a Makefile of the project compiles a file with, with folders relative to it; '' if none does."""
    try:
        makefile = makefile_of(path)
        words = shlex.split(make_flags(path)) if makefile.is_relative_to(real(folder)) else []
    except InputError:
        return ""
    folders = re.compile(rf"^({'|'.join(_WITH_FOLDER)})?(/.*)$")
    return shlex.join(
        folders.sub(lambda one: f"{one[1] or ''}{_relative(Path(one[2]), folder)}", word) for word in words
    )


def _relative(path: Path, folder: Path) -> str:
    whole, root = real(path), real(folder)
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(whole)


def _function_tables(path: Path, name: str, folder: Path) -> Iterator[str]:
    from foretell.core.nest.loopnest import Loops

    flags = _flags(path, folder)
    loops = read_sources([path], SourceOptions(cflags=flags)).find(Loops)
    for function, nests in sorted(_by_function(loops).items() if loops else ()):
        table = f"[code.{_key(function)}]\nfile = {_text(name)}\nfunction = {_text(function)}"
        other = [nest.file for nest in nests if real(Path(nest.file)) != real(path)]
        table += f"  # of {_relative(Path(other[-1]), folder)}\n" if other else "\n"
        table += f"flags = {_text(flags)}\n" if flags else ""
        own = next((one for one in loops.functions if one.name == function), None) if loops else None
        yield table + f'machines = ["zen4"]\n{_sizes(nests, own, _source_of(own, loops) if own and loops else "")}'


def _by_function(loops: Loops) -> dict[str, list[LoopNest]]:
    """The nests of each function."""
    functions: dict[str, list[LoopNest]] = {}
    for nest in loops.nests:
        functions.setdefault(nest.function, []).append(nest)
    return functions


def _sizes(nests: Sequence[LoopNest], own: FunctionInfo | None, source: str) -> str:
    """The line with the sizes of a function, and what was guessed of them; '' if it has none. `source`: its text."""
    asked = (one for nest in nests for one in (*nest.trips.symbols(), *nest.parameters, *nest.address_parameters))
    symbols = {str(one) for one in asked}
    if own is not None:
        symbols |= {one.name for one in own.arguments if one.kind == "integer" and decides(one.name, source)}
    named = [symbol for symbol in sorted(symbols) if re.fullmatch(r"\w+(\.\w+)*", symbol)]  # also members: im.width
    together = max((min(len(nest.loops), len(nest.trips.symbols())) for nest in nests), default=1)
    guesses = usual_sizes(named, together, source)
    sizes = ", ".join(f"{_key(symbol)} = {guess.value}" for symbol, guess in guesses.items())
    return f"sizes = {{ {sizes} }}  # {said(guesses)}\n" if sizes else ""


def _source_of(own: FunctionInfo, loops: Loops) -> str:
    """The text of a function, up to the next one in its file."""
    later = [one.line for one in loops.functions if one.file == own.file and one.line > own.line]
    lines = files.read_text(Path(own.file)).splitlines()
    return without_comments("\n".join(lines[own.line - 1 : min(later, default=len(lines) + 1) - 1]))


def _cxx_tables(path: Path, name: str, folder: Path) -> Iterator[str]:
    """Functions with loops of a C++ source, and of the templates of headers that it instantiates, as they are compiled:
    arguments are given in the order of their parameters."""
    compiler = usual_compiler("x86-64", cxx=True)
    if compiler is None:
        raise InputError("no compiler of C++ for x86-64 is installed here")
    here = " ".join(f"-I{one}" for one in _CXX_FOLDERS if (folder / one).is_dir())
    flags = _flags(path, folder) or f"{_CXX_FLAGS} {here}".strip()
    text = compile_unit(path, compiler, shlex.split(flags), ()).text
    looping = [one.name for one in read_listing(text, "x86-64", name) if any(True for _ in find_loops(one))]
    classes = _classes(folder)
    source = files.read_text(path)
    for full in sorted(demangled(looping).values() if looping else ()):
        function, named = _split_name(full)
        parameters = named if "(" in full else _declared(source, function)
        scope = function.rpartition("::")[0].rpartition("::")[2]
        if function == "main" or function.startswith(("std::", "_")) or "." in function:
            continue
        arguments, guessed = _cxx_arguments(parameters, _parameters(source, function))
        if scope in classes or not all(arguments) or not (arguments or "(" in full):
            yield f"# {name}: {function}({', '.join(parameters)}): write its table, with arguments of a usual call\n"
            continue
        yield (
            f"[code.{_key(function)}]\nfile = {_text(name)}\nfunction = {_text(function)}\n"
            f'flags = {_text(flags)}\nmachines = ["zen4"]\nargs = {json.dumps(arguments)}  # {guessed}\n'
        )


def _classes(folder: Path) -> set[str]:
    """The classes of a project: their functions have a parameter that is not in the list, the object."""
    texts = [files.read_text(path) for path in sorted(_found(folder, (*_CXX, *_HEADERS)))]
    return {name for text in texts for name in re.findall(r"\b(?:class|struct)\s+(\w+)[^;(){}]*\{", text)}


def _split_name(full: str) -> tuple[str, list[str]]:
    """The name of a function in C++ without the type of its result and arguments of templates, and its parameters."""
    plain = full
    while (shorter := re.sub(r"<[^<>]*>", "", plain)) != plain:
        plain = shorter
    name = plain.partition("(")[0].split()[-1]
    inside = full[full.find("(") + 1 : full.rfind(")")] if "(" in full else ""
    return name, [one for one in split_list(inside) if one and one != "void"]


def _declared(source: str, function: str) -> list[str]:
    """The types of a function's parameters as its definition writes them: `extern "C"` leaves none in its symbol."""
    plain = (re.sub(r"\b(?:__)?restrict(?:__)?\b", "", one).strip() for one in _parameters(source, function))
    return [re.sub(r"(?<=[\w*&>])\s*\b\w+$", "", one) for one in plain if one and one != "void"]


def _parameters(source: str, function: str) -> list[str]:
    """The parameters of a definition, with their names; none where it is not in the source."""
    plain = re.escape(function.rpartition("::")[2])
    found = re.search(rf"\b{plain}\s*\(([^(){{}};]*)\)\s*(?:(?:const|noexcept)\s*)*\{{", source)
    return split_list(found[1]) if found else []


def _cxx_arguments(parameters: list[str], declared: list[str]) -> tuple[list[str | int | None], str]:
    """Arguments of a usual call, and what was guessed of them: whole numbers by their names where these are known,
    arrays of as many elements as these say together."""
    given = [_cxx_argument(one, _CXX_SIZE) for one in parameters]
    words = [re.findall(r"\w+", one)[-1:] for one in declared]
    alike = len(words) == len(given) and all(words)
    named = {words[at][0] if alike else f"n{at}": at for at, one in enumerate(given) if isinstance(one, int)}
    sizes = sum(not usual(name, _CXX_SIZE).reason for name in named)
    guesses = usual_sizes(named, max(sizes, 1))
    counts = [max(one.value, 1) for one in guesses.values()]
    elements = min(math.prod(counts), _MOST_ELEMENTS) if counts else _CXX_SIZE
    listed = [_cxx_argument(one, elements) for one in parameters]
    for name, at in named.items():
        listed[at] = guesses[name].value
    return listed, said(guesses)


def _cxx_argument(parameter: str, elements: int) -> str | int | None:
    """The argument of a usual call by the type of a parameter; None where the type says too little."""
    vector = re.match(r"std::(?:\w+::)?vector<([\w ]+?)(?: const)?[,>]", parameter)
    words = re.sub(r"\b(?:const|unsigned)\b|[*&]", " ", vector[1] if vector else parameter).split()
    kind = _CXX_TYPES.get(" ".join(words) or "int")
    if kind is None or parameter.count("*") > 1 or ("&" in parameter and not vector):
        return None
    if vector:
        return f"vector<{kind}>[{elements}]"
    if "*" in parameter:
        return f"{kind}[{elements}]"
    return f"{kind}:1.0" if kind.startswith("f") else _CXX_SIZE


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)
