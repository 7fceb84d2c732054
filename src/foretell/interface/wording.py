"""Errors in the words of Python: the library's messages name options of the command line."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

P = ParamSpec("P")
R = TypeVar("R")

#: a command of the shell stays one, up to the end of its clause
_COMMAND = re.compile(r"foretell [a-z][^;\n]*")
_VALUE = r"([\w.@%]+)=([^\s,;:)]+)"
_WHOLE_OPTIONS = (
    (re.compile(rf"(?<!\w)-D {_VALUE}"), "parameters"),
    (re.compile(rf"--set {_VALUE}"), "set"),
    (re.compile(rf"--option {_VALUE}"), "options"),
    (re.compile(rf"--branch {_VALUE}"), "branch"),
    (re.compile(r"--axis ([\w.@]+)=([\w,.]+)"), "axes"),
)
_SINGLE = {"-D": "parameters=", "--arg": "args=", "--kernel": "function=", "--fresh": "fresh=True", "--set": "set="}
_SINGLE |= {"--option": "options=", "--axis": "axes=", "--include": "includes=", "--flags": 'options={"flags": …}'}
_FLAG = re.compile(r"(?<![\w-])(-D|--[a-z][a-z0-9-]*)(?![\w-])(?: (?=[A-Z0-9'/]))?")


def in_python(text: str) -> str:
    """Rewrites options: `-D n=512` is `parameters={"n": 512}`, `--mode paper` is `mode=…`."""
    parts, end = [], 0
    for command in _COMMAND.finditer(text):
        parts += [_rewritten(text[end : command.start()]), command[0]]
        end = command.end()
    return "".join(parts) + _rewritten(text[end:])


def _rewritten(text: str) -> str:
    for pattern, keyword in _WHOLE_OPTIONS:
        text = pattern.sub(partial(_mapping, keyword), text)
    return _FLAG.sub(lambda match: _SINGLE.get(match[1], match[1].lstrip("-").replace("-", "_") + "="), text)


def _mapping(keyword: str, match: re.Match[str]) -> str:
    name, value = match[1], match[2]
    shown = value if re.fullmatch(r"[\d.e+]+|…", value) else f'"{value}"'
    return f'{keyword}={{"{name}": {shown}}}'


def public(keywords: Iterable[str] = ()) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a function one of the interface: its errors and refusals speak of keywords, and `help` lists `keywords`
    that it takes as `**asked`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return _worded(function(*args, **kwargs))
            except InputError as error:
                hint = error.hint and in_python(error.hint)
                raise type(error)(in_python(error.message), file=error.file, line=error.line, hint=hint) from error

        called.__signature__ = _signature(function, keywords)  # type: ignore[attr-defined]
        return called

    return decorate


def _signature(function: Callable[..., object], keywords: Iterable[str]) -> inspect.Signature:
    own = inspect.signature(function)
    kept = [entry for entry in own.parameters.values() if entry.kind is not inspect.Parameter.VAR_KEYWORD]
    names = {entry.name for entry in kept}
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in keywords if name not in names
    ]
    return own.replace(parameters=[*kept, *more])


def _worded(answer: R) -> R:
    """The same answer with the reasons of refusals in Python's words."""
    refused = getattr(answer, "refused", ())
    if not refused:
        return answer
    changed: Any = answer
    return replace(  # type: ignore[no-any-return]
        changed, refused=tuple(replace(entry, reason=in_python(entry.reason)) for entry in refused)
    )
