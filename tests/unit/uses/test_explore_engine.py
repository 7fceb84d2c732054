"""The same answer whoever computes, however often it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell.errors import InputError, MissingExtraError, ToolError
from foretell.report import json as report
from foretell.uses import explore as use
from foretell.uses.explore import engine, evaluate, store
from tests.support.explore import GOOD, big, study, write

if TYPE_CHECKING:
    from foretell.core.answers.exploration import Exploration
    from foretell.uses.explore.specification import SpaceFile
    from foretell.uses.explore.study import Study

POINTS = 400_000


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, SpaceFile]:
    found = study(tmp_path_factory.mktemp("space"), big(POINTS))
    assert found[0].blocks == 7
    return found


@pytest.fixture(scope="module")
def expected(prepared: tuple[Study, SpaceFile]) -> Exploration:
    return use.run(*prepared, use.Job())


def run(prepared: tuple[Study, SpaceFile], **how: Any) -> Exploration:
    return use.run(*prepared, use.Job(**how))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_workers(prepared: tuple[Study, SpaceFile], expected: Exploration, workers: int) -> None:
    assert run(prepared, engine=engine.processes(workers)) == expected


def test_a_killed_worker_costs_nothing_but_time(prepared: tuple[Study, SpaceFile], expected: Exploration) -> None:
    """The first pool loses a worker as soon as it has given a block; its blocks are computed by another pool."""
    pools: list[ProcessPoolExecutor] = []
    killed: list[int] = []
    plain = engine.processes(2)

    def open_() -> ProcessPoolExecutor:
        pools.append(plain.open())
        return pools[-1]

    def kill_once(done: int, _: int) -> None:
        if done and not killed:
            killed.extend(pools[0]._processes)
            os.kill(killed[0], signal.SIGKILL)

    assert run(prepared, engine=replace(plain, open=open_), progress=kill_once) == expected
    assert len(pools) >= 2


def test_a_block_that_always_kills_its_worker_ends_the_run(
    prepared: tuple[Study, SpaceFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deadly(ProcessPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            return super().submit(os._exit, 1)

    deadly = engine.Engine("deadly", 1, lambda: Deadly(1))
    with pytest.raises(ToolError, match="lost its worker 3 times"):
        run(prepared, engine=deadly)


def test_workers_do_not_load_the_script_that_explores(tmp_path: Path) -> None:
    """It has no `if __name__ == "__main__"`, and would explore in each of them."""
    script = tmp_path / "script.py"
    script.write_text(
        "import foretell, sys\n"
        "from foretell.uses.explore import Job, engine\n"
        "print(foretell.explore(sys.argv[1], job=Job(engine=engine.processes(2))).points)\n"
    )
    command = [sys.executable, script, write(tmp_path, big(200_000))]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.stdout, result.stderr) == ("200000\n", "")


def test_an_error_in_a_worker_is_the_users_error(tmp_path: Path) -> None:
    text = (
        big(200_000)
        .replace("cores = { from = 8, to = 128 }", "cores = [32]")
        .replace("example:vector-add", "example:n-body")
        .replace("rows = [1, 2]", "buffer_KiB = [16, 32]")
    )
    found = study(tmp_path, text)
    with pytest.raises(InputError, match="64 cores asked for"):
        run(found, engine=engine.processes(2))


# -------------------------------------------------------------------------------------- journal


def test_a_run_continues_where_it_was_stopped(
    prepared: tuple[Study, SpaceFile], expected: Exploration, tmp_path: Path
) -> None:
    journal = tmp_path / "run.journal"

    def stop(done: int, _: int) -> None:
        if done >= POINTS // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(prepared, journal=journal, progress=stop)
    seen: list[int] = []
    assert run(prepared, journal=journal, progress=lambda done, _: seen.append(done)) == expected
    assert seen[0] >= POINTS // 2  # the finished blocks were there from the start
    again: list[int] = []
    assert run(prepared, journal=journal, progress=lambda done, _: again.append(done)) == expected
    assert again == [POINTS]


def test_kill_9_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    points = 30_000_000
    space = write(tmp_path, big(points, '["time"]'))
    journal = tmp_path / "run.journal"
    command = [sys.executable, "-m", "foretell", "explore", space, "--journal", journal, "--format", "json"]
    process = subprocess.Popen([*command, "--workers", "1"], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        time.sleep(0.02)
    process.kill()
    process.wait()
    finished = journal.read_bytes().count(b"\n") - 1
    assert finished >= 2
    file = use.read_space(space)
    prepared = use.prepare_study(file)
    assert finished < prepared.blocks
    with store.Journal(journal, store.Header(prepared.key, prepared.blocks)) as again:
        assert len(again.done) >= finished


def test_a_torn_line_is_dropped_and_a_wrong_one_computed_again(
    prepared: tuple[Study, SpaceFile], expected: Exploration, tmp_path: Path
) -> None:
    journal = tmp_path / "run.journal"
    run(prepared, journal=journal)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 8
    for cut in (1, 9, len(lines[-1]) // 2, len(lines[-1]) - 1):
        journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:cut])
        assert run(prepared, journal=journal) == expected
        assert journal.read_bytes().count(b"\n") == 8
        with store.Journal(journal, store.Header(prepared[0].key, 7)) as again:
            assert again.done == set(range(7))  # nothing was glued to the torn line
    flipped = bytearray(b"".join(lines))
    flipped[len(lines[0]) + len(lines[1]) // 2] ^= 1
    journal.write_bytes(flipped)
    assert run(prepared, journal=journal) == expected
    journal.write_bytes(lines[0][:40])  # torn at its very first line
    assert run(prepared, journal=journal) == expected


def test_a_journal_of_other_inputs_is_refused(prepared: tuple[Study, SpaceFile], tmp_path: Path) -> None:
    journal = tmp_path / "run.journal"
    run(prepared, journal=journal)
    other = study(tmp_path, big(POINTS).replace("seed = 3", "seed = 4"))
    with pytest.raises(InputError, match="journal of another exploration"):
        run(other, journal=journal)
    before = journal.read_bytes()
    run(other, journal=journal, fresh=True)
    assert journal.read_bytes() != before


def test_other_files_are_never_taken_for_a_journal(prepared: tuple[Study, SpaceFile], tmp_path: Path) -> None:
    precious = tmp_path / "thesis.txt"
    for text in ("my thesis", "my thesis\nin two lines\n", "0123abcd {}", "x"):
        precious.write_text(text)
        for fresh in (False, True):
            with pytest.raises(InputError, match="not a journal"):
                run(prepared, journal=precious, fresh=fresh)
        assert precious.read_text() == text
    with pytest.raises(InputError, match="cannot be written"):
        run(prepared, journal=precious / "below")


def test_one_writer_at_a_time(prepared: tuple[Study, SpaceFile], tmp_path: Path) -> None:
    header = store.Header("sha256:0", 1)
    with store.Journal(tmp_path / "j", header), pytest.raises(InputError, match="another run is using"):
        store.Journal(tmp_path / "j", header)


@pytest.mark.parametrize(
    "change",
    [
        ("seed = 3", "seed = 4"),
        ('"sobol"', '"random"'),
        (f"points = {POINTS}", f"points = {POINTS + 1}"),
        ("cores <= 120", "cores <= 121"),
        ('"128 GB/s"', '"129 GB/s"'),
        ('"time", "area"', '"area", "time"'),
        ("[objectives]", "[coefficients]\ncore_W = 2\n[objectives]"),
        ("[follow]", '[follow]\n"cores.groups" = "cores"'),
        ('code = "example:vector-add"', 'code = "example:vector-add"\nparameters = { N = 512 }'),
        ('code = "example:vector-add"', 'code = "example:vector-add"\nweight = 2'),
        ('machine = "sw26010"', 'machine = "sw26010"\nmode = "paper"'),
        ("[objectives]", "[objectives]\ntop = 11"),
    ],
)
def test_the_key_knows_everything_that_matters(
    prepared: tuple[Study, SpaceFile], tmp_path: Path, change: tuple[str, str]
) -> None:
    text = big(POINTS)
    assert change[0] in text
    assert study(tmp_path, text.replace(*change))[0].key != prepared[0].key
    assert study(tmp_path, text)[0].key == prepared[0].key


# -------------------------------------------------------------------------------------- shards


def test_shards_merge_to_the_whole(prepared: tuple[Study, SpaceFile], expected: Exploration, tmp_path: Path) -> None:
    journals = [tmp_path / f"{part}.journal" for part in (1, 2, 3)]
    counts = []
    for part, journal in zip((1, 2, 3), journals, strict=True):
        answer = run(prepared, journal=journal, shard=(part, 3))
        assert f"shard {part} of 3" in answer.notes[0]
        counts.append(answer.points)
    assert sum(counts) == POINTS
    assert use.merge(*prepared, journals) == expected
    assert use.merge(*prepared, [*reversed(journals), journals[0]]) == expected
    with pytest.raises(InputError, match="2 of 7 blocks are in none"):
        use.merge(*prepared, journals[:2])
    with pytest.raises(InputError, match="i from 1 to n"):
        run(prepared, shard=(4, 3))


# -------------------------------------------------------------------------------------- all points


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_all_points_go_to_a_file_in_order(tmp_path: Path, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    prepared, file = study(tmp_path, big(150_000))
    target = tmp_path / f"points.{ending}"
    answer = use.run(prepared, file, use.Job(points=target, engine=engine.processes(2)))
    columns = _read(target)
    assert len(columns["point"]) == answer.points - answer.excluded
    assert columns["point"] == sorted(columns["point"])
    assert min(columns["time_s"]) == answer.objectives[0].lowest
    chosen = answer.front[3]
    row = columns["point"].index(chosen.number)
    assert {name: columns[name][row] for name in chosen.parameters} == chosen.parameters
    assert columns["area"][row] == chosen.objectives["area"]
    assert not target.with_name(target.name + ".parts").exists()


def test_points_of_a_resumed_run_are_complete(tmp_path: Path) -> None:
    prepared, file = study(tmp_path, big(150_000))
    target, journal = tmp_path / "points.csv", tmp_path / "j"
    use.run(prepared, file, use.Job(journal=journal))  # without points: its blocks have none
    use.run(prepared, file, use.Job(journal=journal, points=target))
    once = target.read_bytes()
    use.run(prepared, file, use.Job(points=target))
    assert target.read_bytes() == once
    with pytest.raises(InputError, match=r"a \.csv or a \.parquet"):
        use.run(prepared, file, use.Job(points=tmp_path / "points.xls"))


def _read(path: Path) -> dict[str, list[float]]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        table: dict[str, list[float]] = pq.read_table(path).to_pydict()
        return table
    header, *rows = (line.split(",") for line in path.read_text().splitlines())
    return {name: [float(row[place]) for row in rows] for place, name in enumerate(header)}


# -------------------------------------------------------------------------------------- clusters


def document(answer: Exploration) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report.dumps(report.exploration(answer)))
    return found


def test_mpi_ranks_give_the_same_answer(expected: Exploration, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py", reason="the extra mpi is not installed")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    if not mpiexec.exists():
        pytest.skip("the package mpich is not installed")
    space = write(tmp_path, big(POINTS))
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "foretell", "explore", space]
    result = subprocess.run([*command, "--format", "json"], capture_output=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == document(expected)


def test_dask_workers_give_the_same_answer(expected: Exploration, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    space = write(tmp_path, big(POINTS))
    script = tmp_path / "cluster.py"
    script.write_text(DASK)
    command = [sys.executable, script, space]
    result = subprocess.run(command, capture_output=True, timeout=180, check=False)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == document(expected)


#: a cluster of two workers, of which one is killed while the exploration runs
DASK = """
import subprocess, sys, time
from distributed import LocalCluster

if __name__ == "__main__":
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(**options) as cluster:
        command = [sys.executable, "-m", "foretell", "explore", sys.argv[1], "--format", "json"]
        run = subprocess.Popen([*command, "--dask", cluster.scheduler_address], stdout=subprocess.PIPE)
        time.sleep(1.5)
        next(iter(cluster.workers.values())).process.process.kill()
        sys.stdout.write(run.communicate()[0].decode())
        sys.exit(run.returncode)
"""


def test_engines_that_are_not_there_say_so(prepared: tuple[Study, SpaceFile], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("mpi4py", "distributed", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "mpi4py.futures", raising=False)
    with pytest.raises(MissingExtraError, match=r"foretell\[mpi\]"):
        engine.choose("mpi", prepared[0], None, None)
    with pytest.raises(MissingExtraError, match=r"foretell\[dask\]"):
        engine.choose("auto", prepared[0], None, "tcp://127.0.0.1:1")
    with pytest.raises(MissingExtraError, match=r"foretell\[parquet\]"):
        run(prepared, points=Path("points.parquet"))
    with pytest.raises(InputError, match="needs the address"):
        engine.choose("dask", prepared[0], None, None)
    for wrong in ("nonsense", "tcp://host", "tcp://:8786", "tcp://host:port", ""):
        with pytest.raises(InputError, match="no address of a scheduler"):
            engine.choose("dask", prepared[0], None, wrong)
    with pytest.raises(InputError, match="goes with engine dask"):
        engine.choose("serial", prepared[0], None, "tcp://127.0.0.1:1")


def test_the_engine_follows_from_the_size(prepared: tuple[Study, SpaceFile], tmp_path: Path) -> None:
    assert engine.choose("auto", prepared[0], None, None).name == "serial"
    assert engine.choose("auto", prepared[0], 2, None).name == "processes"
    assert engine.choose("processes", prepared[0], None, None).workers == len(os.sched_getaffinity(0))
    large, _ = study(tmp_path, big(50_000_000))
    expected = "processes" if len(os.sched_getaffinity(0)) > 1 else "serial"
    assert engine.choose("auto", large, None, None).name == expected


def test_blocks_depend_on_the_space_alone(tmp_path: Path) -> None:
    for points in (1, 65_536, 65_537, 10**7, 10**9):
        prepared, _ = study(tmp_path, big(points))
        spans = [prepared.block(number) for number in (0, prepared.blocks - 1)]
        assert spans[0][0] == 0
        assert spans[-1][1] == points
        assert prepared.block_size <= 64 * 65_536


def test_a_study_travels(prepared: tuple[Study, SpaceFile]) -> None:
    packed = evaluate.pack(prepared[0])
    assert len(packed) < 20_000
    assert evaluate.work(packed, 6).front.index.tolist() == evaluate.evaluate_block(prepared[0], 6).front.index.tolist()


def test_mpi_without_other_ranks_is_refused_at_once(tmp_path: Path) -> None:
    """In a process of its own: MPI starts once."""
    pytest.importorskip("mpi4py")
    command = [sys.executable, "-m", "foretell", "explore", str(write(tmp_path, GOOD)), "--engine", "mpi"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert "there is no other MPI rank" in done.stderr
    assert "Traceback" not in done.stderr
