"""Predicts the cases of a recording of the suite `styles` with a compiler's own assembly, and compares.

    python validation/cpu/suite-styles/evaluate.py RECORDING.toml ASSEMBLY tuning|report [WORD...]

ASSEMBLY has the assembly of each source (`vla.c.s`, with macros `globals.c-N=24.s`) by the compiler and flags of the
recording, with line information (measure.py). Single cases are printed of the half `tuning` alone. A prediction that
takes longer than LIMIT seconds (60) counts as refused. Predictions are kept in CACHE (/tmp/foretell-evaluate.json), as
long as the package does not change; words choose kernels by parts of their names. JOBS processes (1) predict at once.

With LENGTHS=1 in the environment, arrays that data index have the length that the caller gave them (`-D x_length=…`):
an example of what a user knows, and the source does not say.

Cases in shared caches were measured four at once (measure.py): each has at most a quarter of the L3 that all cores
together got, but where the title of the recording says «one after the other».
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from statistics import median

import foretell
from foretell import files, machines, units
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import SourceOptions, read, read_options, read_sources
from foretell.uses.error_statistics import set_of
from foretell.uses.measure.style_suite import STYLES, styles

_LIMIT = int(os.environ.get("LIMIT", "60"))
_CACHE = Path(os.environ.get("CACHE", "/tmp/foretell-evaluate.json"))
_AT_ONCE = 4
#: in the title of recordings whose cases in shared caches and memory ran by themselves
_SERIAL = "one after the other"
_KEEP = 20
_JOBS = int(os.environ.get("JOBS", "1"))
_WORST = int(os.environ.get("WORST", "60"))
_LENGTHS = os.environ.get("LENGTHS") == "1"
#: the length of an array: a formula of integers
_FORMULA = re.compile(r"[\w+*/() -]+")


def package_digest() -> str:
    """A digest of the package: its Python files and its core."""
    digest = hashlib.sha256()
    folder = Path(foretell.__file__).parent
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml"), Path(foretell._core.__file__)]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def predict(entry: dict, machine: machines.Machine, assembly: Path | None) -> dict:
    """Time, interval and assumptions of a case, or why there are none. Without assembly, as the options say."""
    file, _, function = entry["workload"].removeprefix("styles:").partition(":")
    macros = entry.get("macros", {})
    options = dict(entry["options"])
    if assembly is not None:
        listing = assembly / f"{file}{''.join(f'-{name}={value}' for name, value in macros.items())}.s"
        compiled_only = "arguments" in entry  # C++: its assembly is the input
        if not listing.is_file() or not (file.endswith(".c") or compiled_only):
            return {"refused": "no assembly"}
        options |= {} if compiled_only else {"asm": str(listing)}
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(_LIMIT)
    try:
        values = tuple((name, str(value)) for name, value in macros.items())
        given = dict(entry.get("parameters", {}))
        if "arguments" in entry:
            source = str(STYLES / file) if assembly is None else str(listing)
            code = read(source, read_options(kernel=function, args=entry["arguments"]))
            given.pop("threads", None)
        else:
            code = read_sources([STYLES / file], SourceOptions(values=values, kernel=function))
            given |= literals(entry["kernel"], function, code.facet(Loops))
            given |= array_lengths(entry, function, code.facet(Loops)) if _LENGTHS else {}
        answer = foretell.predict(code, machine, parameters=given, options=options)
    except (InputError, TimeoutError) as error:
        return {"refused": str(error)}
    finally:
        signal.alarm(0)
    return {
        "time": answer.time_s, "interval": answer.interval_s, "bound": answer.bottleneck.resource,
        "assumed": list(answer.assumptions),
    }  # fmt: skip


def literals(kernel: str, function: str, loops: Loops) -> dict[str, float]:
    """Numbers and letters that the call of a case passes on."""
    call = next(style.call for style in styles() if style.name == kernel)
    words = [word.strip() for word in call.partition("(")[2].removesuffix(")").split(",")]
    names = next(info.arguments for info in loops.functions if info.name == function)
    pairs = zip(names, words, strict=True) if len(names) == len(words) else ()
    values = {one.name: word for one, word in pairs if one.kind == "integer"}
    numbers = {name: float(word) for name, word in values.items() if word.isdigit()}
    return numbers | {name: float(ord(word[1])) for name, word in values.items() if word[:1] == "'"}


def array_lengths(entry: dict, function: str, loops: Loops) -> dict[str, float]:
    """Elements of the arrays that data index, by the parameters of their lengths."""
    sizes = {name: value for name, value in entry.get("parameters", {}).items() if name != "threads"}
    style = next(one for one in styles() if one.name == entry["kernel"] and one.parameters == sizes)
    words = [word.strip() for word in style.call.partition("(")[2].removesuffix(")").split(",")]
    names = [one.name for one in next(info.arguments for info in loops.functions if info.name == function)]
    asked = {
        name
        for nest in loops.averaged.nests
        for array in nest.arrays
        for dim in array.dims[:1]
        if dim.extent is not None
        for name in dim.extent.symbols()
    }
    made = {datum.name: datum.extents for datum in style.data if len(datum.extents) == 1}
    pairs = zip(names, words, strict=True) if len(names) == len(words) else ()
    texts = {f"{name}_length": made[word][0] for name, word in pairs if word in made and f"{name}_length" in asked}
    known = {name: int(value) for name, value in style.sizes.items()}
    return {
        name: float(eval(text.replace("/", "//"), {"__builtins__": {}}, known))
        for name, text in texts.items()
        if _FORMULA.fullmatch(text)
    }


def predictions(cases: dict, machine: machines.Machine, assembly: Path) -> dict[str, dict]:
    """Predicts what the cache has not."""
    digest = package_digest()
    kept = json.loads(_CACHE.read_text()) if _CACHE.exists() else {}
    if kept.get("digest") != digest:
        kept = {"digest": digest}
    lacking = [name for name in cases if f"{assembly} {name}" not in kept]
    with ProcessPoolExecutor(_JOBS) as pool:
        made = pool.map(predict, [cases[name] for name in lacking], repeat(machine), repeat(assembly), chunksize=4)
        for number, (name, answer) in enumerate(zip(lacking, made, strict=True)):
            kept[f"{assembly} {name}"] = answer
            if number % _KEEP == 0:  # what was stopped goes on
                _CACHE.write_text(json.dumps(kept))
    _CACHE.write_text(json.dumps(kept))
    return {name: kept[f"{assembly} {name}"] for name in cases}


def shared(machine: machines.Machine) -> machines.Machine:
    """The machine as each of three processes at once sees it."""
    alone, together = (machine.value(f"level.L3.{name}") for name in ("available", "available_all"))
    return machine.with_values({"level.L3.available": min(alone, together / _AT_ONCE)})


def _late(*_: object) -> None:
    raise TimeoutError(f"longer than {_LIMIT} s")


def summary(title: str, rows: list[tuple[str, float, dict]]) -> str:
    """One line of statistics."""
    if not rows:
        return f"{title:24} none"
    errors = [abs(answer["time"] / measured - 1) for _, measured, answer in rows]
    inside = [answer["interval"][0] <= measured <= answer["interval"][1] for _, measured, answer in rows]
    width = median(answer["interval"][1] / answer["interval"][0] for _, _, answer in rows)
    shares = sum(error <= 0.2 for error in errors) / len(rows), sum(inside) / len(rows)
    return (
        f"{title:24} {len(rows):4} cases  median {median(errors):6.1%}  within 20 % {shares[0]:4.0%}  "
        f"inside {shares[1]:4.0%}  width {width:.2f}"
    )


def main() -> None:
    """Prints statistics of a half, and the worst cases of `tuning`."""
    recording, assembly, half, *words = sys.argv[1:]
    document = files.parse_toml(files.read_text(Path(recording)), Path(recording))
    cases = {
        name: {**document.get("defaults", {}), **entry}
        for name, entry in document["case"].items()
        if set_of(entry["kernel"]) == half
        if (STYLES / entry["workload"].split(":")[1]).suffix in (".c", ".cpp")
        if not words or any(word in name for word in words)
    }
    machine = machines.load(Path(recording).parent / document["defaults"]["machine"])
    if _SERIAL not in document["title"]:
        machine = shared(machine)
    answers = predictions(cases, machine, Path(assembly))
    rows = [
        (name, units.parse_as(cases[name]["measured"], "s"), answer)
        for name, answer in answers.items()
        if "refused" not in answer
    ]
    print(summary("all", rows))
    print(summary("undisturbed", [row for row in rows if not cases[row[0]].get("disturbed")]))
    for level in ("L1", "L2", "L3", "memory"):
        print(summary(level, [row for row in rows if row[0].endswith(f"({level})")]))
    whole = [row for row in rows if not any("is not followed: " in text for text in row[2]["assumed"])]
    print(summary("call followed", whole))
    print(f"refused: {len(answers) - len(rows)}")
    if half == "tuning":
        for name, answer in answers.items():
            if "refused" in answer:
                print(f"  {name}: {answer['refused']}")
        _print_worst(rows, {name for name, entry in cases.items() if entry.get("disturbed")})


def _print_worst(rows: list[tuple[str, float, dict]], disturbed: set[str]) -> None:
    ordered = sorted(rows, key=lambda row: -abs(row[2]["time"] - row[1]) / min(row[2]["time"], row[1]))
    for name, measured, answer in ordered[:_WORST]:
        low, high = answer["interval"]
        mark = (" " if low <= measured <= high else "!") + ("~" if name in disturbed else " ")
        why = next((text for text in answer["assumed"] if "is not followed: " in text), "")
        print(f"{mark} {answer['time'] / measured - 1:+7.1%} {measured:.3e} s {answer['bound']:9} {name} {why}")


if __name__ == "__main__":
    main()
