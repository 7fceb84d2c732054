"""Runs a CUDA program beside a GPU and records its launches: `libforetell_record.so` writes a log (cpp/recorder), which
becomes a capture."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import running
from foretell.errors import InputError, ToolError
from foretell.files import temporary_folder
from foretell.uses.program_run.beside_gpu import launch_log
from foretell.uses.program_run.beside_gpu.packing import Packing
from foretell.uses.program_run.recording import Recorder
from foretell.uses.program_run.run import DEFAULT_SECONDS, TIME_OPTION, Streams, check_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: CUDA's driver loads the library that this variable names, and calls its InitializeInjection
_INJECTION = "CUDA_INJECTION64_PATH"
_HINT = "foretell run -- PROGRAM runs it without a GPU"


@dataclass(frozen=True, slots=True)
class Recording:
    """A program that was recorded: its exit status, its launches in a recorder, and what is not as it should be."""

    exit_code: int
    recorder: Recorder
    launches: int
    notes: tuple[str, ...]


def library() -> Path:
    """The library that CUDA's driver loads."""
    path = Path(str(resources.files("foretell") / "standin" / "libforetell_record.so"))
    if not path.exists():
        raise ToolError("the library that records launches is not installed with this package")
    return path


def record_program(
    command: Sequence[str],
    *,
    contents: str = "all",
    most_bytes: int = 1 << 30,
    streams: Streams | None = None,
    seconds: float = DEFAULT_SECONDS,
    logs: Path | None = None,
) -> Recording:
    """Runs a program to its end beside the GPU of this computer; the capture is not yet written. `logs` is the folder
    of the program's logs while it runs: it stays if this process is killed or interrupted. A program that runs too long
    is ended, and what it did until then is recorded."""
    check_program(command, "record")
    ends = streams or Streams()
    with _folder(logs) as folder:
        environment = {
            _INJECTION: str(library()),
            "FORETELL_RECORD": str(folder),
            "FORETELL_RECORD_CONTENTS": contents,
            "FORETELL_RECORD_LIMIT": str(most_bytes),
        }
        try:
            finished = running.run(
                command,
                running.Limits(seconds, time_option=TIME_OPTION),
                environment=environment,
                input=ends.input,
                output=ends.output,
                errors=ends.errors,
                whole=False,
                confinement=running.FREE,  # it needs the files of the GPU
            )
            code, notes = finished.code, []
        except running.StoppedError as error:
            code, notes = error.exit_code, [f"{error}: what it did until then is recorded"]
        return _packed(log_files(folder), code, contents, most_bytes, notes)


def log_files(folder: Path) -> list[Path]:
    """The logs in a folder."""
    return sorted(folder.glob("*" + launch_log.SUFFIX))


@contextmanager
def _folder(path: Path | None) -> Iterator[Path]:
    """A folder for logs while the program runs."""
    if path is None:
        with temporary_folder() as made:
            yield Path(made)
        return
    try:
        path.mkdir()
    except FileExistsError:
        raise InputError(
            "is there already: an earlier recording was ended before it wrote its capture",
            file=path,
            hint=f"foretell record --logs {path} -o FILE packs what it left; then remove the folder",
        ) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), file=path) from None
    kept = False
    try:
        yield path
    except KeyboardInterrupt as error:
        kept = bool(log_files(path))
        if kept:
            error.add_note(f"what the program did stays in {path}: foretell record --logs {path} -o FILE packs it")
        raise
    finally:
        if not kept:
            shutil.rmtree(path, ignore_errors=True)


def pack(logs: Sequence[Path], contents: str, most_bytes: int) -> Recording:
    """Logs that were written elsewhere (FORETELL_RECORD), as a recording."""
    return _packed(logs, 0, contents, most_bytes)


def _packed(paths: Sequence[Path], code: int, contents: str, most_bytes: int, ended: Sequence[str] = ()) -> Recording:
    recorder, notes, launches, processes = Recorder(contents, most_bytes), [*ended], 0, 0
    for path in paths:
        log = launch_log.read(path)
        packing = Packing(log, recorder)
        packing.pack()
        notes += [*log.notes, *packing.problems]
        made = sum(len(item.made) for item in log.launches)
        launches, processes = launches + made, processes + bool(made)
    if not recorder.launches:
        reason = "; ".join(dict.fromkeys(notes)) or _nothing(bool(paths))
        raise InputError(f"nothing was recorded: {reason}", hint=_HINT)
    if processes > 1:
        recorder.steps.clear()
        notes.append(f"{processes} processes launched kernels: the capture has their launches, without copies and time")
    return Recording(code, recorder, launches, tuple(dict.fromkeys(notes)))


def _nothing(used: bool) -> str:
    if used:
        return "the program launched no kernel"
    set_by_user = " (CUDA_INJECTION64_PATH was set)" if _INJECTION in os.environ else ""
    return f"the program did not use CUDA's driver{set_by_user}; is there a GPU?"
