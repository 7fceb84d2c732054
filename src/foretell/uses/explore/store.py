"""Persistence of an exploration: a journal of finished blocks, and a file of points for each block.

A journal is a text file. Its first line identifies the study; every other line is one finished block, preceded by a
checksum, written and synced before the block counts as done. A line torn by a kill is dropped. The blocks of a search
are its parts, and the journal also has a line for each generation of the current part.
"""

from __future__ import annotations

import contextlib
import csv
import io
import shutil
from collections.abc import Mapping  # noqa: TC003  # headers are checked against it
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from foretell import decoding, files
from foretell.errors import InputError, MissingExtraError
from foretell.records import record
from foretell.uses import journal
from foretell.uses.explore.evolve import Generation
from foretell.uses.explore.summary import SIGNED, StoredPoints, StoredSummary, Summary, decode, encode, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from foretell.uses.explore.evaluate import Chunk
    from foretell.uses.explore.study import Study

_MAGIC = "foretell-explore"


@dataclass(frozen=True, slots=True)
class Header:
    """Identifies the study of a journal, and how to prepare that study again."""

    key: str
    blocks: int
    recipe: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Recipe:
    """The options of `foretell explore` that a study is prepared from."""

    on: str | None = None
    set: tuple[str, ...] = ()
    mode: str | None = None
    model: str | None = None
    options: tuple[str, ...] = ()
    threads: str | int | None = None
    space: str = ""
    shard: str | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line after the header: a finished block, or a generation of a search with the checksum of its numbers."""

    summary: StoredSummary
    block: int | None = None
    generation: StoredPoints | None = None
    checksum: int = 0


class Journal(journal.Journal):
    """Finished blocks of one study in a file; one writer at a time."""

    def __init__(self, path: Path, header: Header, *, fresh: bool = False) -> None:
        first = {_MAGIC: 1, "key": header.key, "blocks": header.blocks, "recipe": header.recipe}
        differs = "exploration: the space, a code, the machine, the model or an option"
        super().__init__(path, first, differs, fresh=fresh)
        try:
            self.done = {entry.block for entry in _entries(path) if entry.block is not None}
        except InputError:
            self._file.close()
            raise

    def append(self, block: int, summary: Summary) -> None:
        """Adds a finished block; it is on the disk when this returns."""
        self.add({"block": block, "summary": encode(summary)})
        self.done.add(block)

    def keep(self, generation: Generation) -> None:
        """Adds a generation of a search; it is on the disk when this returns."""
        points, summary = pack(generation.points), encode(generation.summary)
        self.add({"generation": points, "summary": summary, "checksum": generation.checksum})

    def generations(self, study: Study) -> Iterator[Generation]:
        """Yields the generations of a search, in order."""
        objectives = len(study.objectives)
        for entry in _entries(self.path):
            if entry.generation is not None:
                with _at(self.path):
                    points = unpack(entry.generation, objectives)
                    summary = decode(entry.summary, objectives, len(study.cases))
                yield Generation(points, summary, entry.checksum)


@contextlib.contextmanager
def _at(path: Path) -> Iterator[None]:
    """Errors in the block name the journal."""
    try:
        yield
    except InputError as error:
        raise error.at(path) from None


def _entries(path: Path) -> Iterator[_Entry]:
    return journal.entries(path, _Entry, SIGNED)


def read_header(path: Path) -> Header | None:
    """Reads the first line of a journal; None if it is torn. A file that is no journal is an InputError."""
    entry = journal.read_header(path, _MAGIC)
    if entry is None:
        return None
    with _at(path):
        given = {name: value for name, value in entry.items() if name != _MAGIC}
        header = decoding.decoded(Header, given, "header")
        decoding.decoded(_Recipe, header.recipe, "header.recipe")
    return header


def merged(paths: Iterable[Path], like: Header, study: Study) -> Iterator[tuple[int, Summary]]:
    """Merges the blocks of several journals, each once; journals of other studies are refused."""
    seen: set[int] = set()
    for path in paths:
        header = read_header(path)
        if header is None or (header.key, header.blocks) != (like.key, like.blocks):
            raise InputError("belongs to another exploration than the first journal", file=path)
        for entry in _entries(path):
            if entry.block is not None and entry.block not in seen:
                seen.add(entry.block)
                with _at(path):
                    summary = decode(entry.summary, len(study.objectives), len(study.cases))
                yield entry.block, summary


# -------------------------------------------------------------------------------------- all points


@record
class PointFiles:
    """All points of an exploration: a part for each block, written by the worker, joined at the end."""

    target: Path

    @property
    def is_parquet(self) -> bool:
        return self.target.suffix == ".parquet"

    @property
    def folder(self) -> Path:
        return self.target.with_name(self.target.name + ".parts")

    def part(self, block: int) -> Path:
        return self.folder / f"{block:08d}{self.target.suffix}"

    def check(self) -> None:
        """Checks that such a file can be written here."""
        if self.target.suffix not in (".csv", ".parquet"):
            raise InputError("points go into a .csv or a .parquet file", file=self.target)
        if self.is_parquet:
            _pyarrow()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", file=self.folder) from None

    def write(self, study: Study, block: int, chunks: Iterable[Chunk]) -> None:
        """Writes one block; the file appears when it is complete."""
        with files.replacing(self.part(block)) as unfinished:
            if self.is_parquet:
                self._write_parquet(unfinished, study, chunks)
            else:
                self._write_csv(unfinished, study, chunks)

    def join(self, study: Study) -> None:
        """Joins the parts into one file, in the order of the space, and deletes them."""
        parts = [self.part(block) for block in range(study.blocks)]
        if self.is_parquet:
            self._join_parquet(parts)
        else:
            self._join_csv(study, parts)
        for part in parts:
            part.unlink()
        with contextlib.suppress(OSError):  # files of a killed worker are left
            self.folder.rmdir()

    def _write_csv(self, path: Path, study: Study, chunks: Iterable[Chunk]) -> None:
        with path.open("w", newline="") as file:
            for chunk in chunks:
                out = io.StringIO()
                columns = [column.tolist() for column in _table(study, chunk).values()]
                csv.writer(out, lineterminator="\n").writerows(zip(*columns, strict=True))
                file.write(out.getvalue())

    def _join_csv(self, study: Study, parts: list[Path]) -> None:
        with files.replacing(self.target) as whole, whole.open("wb") as out:
            header = io.StringIO()
            csv.writer(header, lineterminator="\n").writerow(_header(study))
            out.write(header.getvalue().encode())
            for part in parts:
                with part.open("rb") as file:
                    shutil.copyfileobj(file, out)

    def _write_parquet(self, path: Path, study: Study, chunks: Iterable[Chunk]) -> None:
        pa, pq = _pyarrow()
        fields = [(name, pa.int64() if name == "point" else pa.float64()) for name in _header(study)]
        with pq.ParquetWriter(path, pa.schema(fields)) as writer:
            for chunk in chunks:
                writer.write_table(pa.table(_table(study, chunk)))

    def _join_parquet(self, parts: list[Path]) -> None:
        _, pq = _pyarrow()
        with files.replacing(self.target) as whole, pq.ParquetWriter(whole, pq.read_schema(parts[0])) as writer:
            for part in parts:
                with pq.ParquetFile(part) as file:
                    for group in range(file.num_row_groups):
                        writer.write_table(file.read_row_group(group))


def _header(study: Study) -> list[str]:
    times = [f"time_{name}_s" for name in study.applications]
    objectives = ["time_s" if name == "time" else name for name in study.objectives if not name.startswith("time_")]
    return ["point", *(axis.name for axis in study.space.axes), *times, *objectives]


def _table(study: Study, chunk: Chunk) -> dict[str, Any]:
    points, columns, times = chunk.table()
    named = zip(study.objectives, points.objectives, strict=True)
    objectives = [column for name, column in named if not name.startswith("time_")]
    values = [points.index, *(columns[axis.name] for axis in study.space.axes), *times, *objectives]
    return dict(zip(_header(study), values, strict=True))


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    return pyarrow, pyarrow.parquet
