"""Long jobs of a worker: a GPU kernel tuned without nvcc (its predictions are stand-ins), explorations on an engine."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from foretell.core.answers.tuning import Variant
from foretell.errors import InputError, ToolError
from foretell.serve.pool import engines, launched, worker
from foretell.serve.pool.answering import Answers
from foretell.serve.pool.codes import Codes
from foretell.serve.pool.pool import Pool, PoolLimits
from tests.support.explore import GOOD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Document = dict[str, Any]
KERNEL = """__global__ void scale(float *y, const float *x, int n) {
  int first = (blockIdx.x * BLOCK + threadIdx.x) * ITEMS;
  for (int k = 0; k < ITEMS; k++) if (first + k < n) y[first + k] = 2.0f * x[first + k];
}
"""
ASKED: Document = {
    "code": {"name": "kernel.cu", "text": KERNEL}, "on": "h200", "grid": "ceil(n/(BLOCK*ITEMS))", "block": "BLOCK",
    "args": ["f32[n]", "f32[n]", "n"], "parameters": {"n": 1 << 20},
    "job": {"axes": {"BLOCK": "64,128,256", "ITEMS": "1,2,4"}, "constraints": ["BLOCK*ITEMS <= 512"]},
}  # fmt: skip


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(Codes(tmp_path / "codes"))


@pytest.fixture
def predicted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Predictions without a compiler: larger blocks with fewer items are faster. Returns what was asked for."""
    from foretell.uses.tuning.kernels import KernelBench

    every: list[int] = []

    def predict(
        self: Any, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        for number in numbers:
            values = self._configurations[number]
            every.append(number)
            yield number, Variant(values, 1e-3 * values["ITEMS"] / values["BLOCK"])

    monkeypatch.setattr(KernelBench, "predict", predict)
    monkeypatch.setattr(KernelBench, "assumptions", lambda *_: ())
    return every


def test_a_kernel_is_tuned_with_progress_and_resumed_from_its_journal(
    answers: Answers, predicted: list[int], tmp_path: Path
) -> None:
    said: list[Document] = []
    asked = {**ASKED, "job": {**ASKED["job"], "journal": str(tmp_path / "j")}}
    document = answers.answer("tune", asked, said.append)
    assert document["best"]["parameters"] == {"BLOCK": 256.0, "ITEMS": 1.0}
    assert (document["machine"], document["workload"]) == ("h200", "kernel")
    assert len(document["variants"]) == 8  # of 9, one condition excludes 256 times 4
    assert said[-1]["done"] == said[-1]["total"]
    assert said[-1]["best_s"] == pytest.approx(1e-3 / 256)
    before = len(predicted)
    assert before
    assert answers.answer("tune", asked, said.append)["resumed"] == 8
    assert len(predicted) == before


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"grid": None}, "grid: a kernel needs its launch"),
        ({"job": {"axes": {}}}, "no axis"),
        ({"job": {**ASKED["job"], "strategy": "hybrid"}}, "none of static, bottleneck"),
        ({"grid": "m"}, "neither an axis nor a constant"),
        ({"on": None}, "which machine"),
    ],
)
def test_what_a_kernel_lacks_is_named(answers: Answers, changed: Document, said: str) -> None:
    with pytest.raises(InputError, match=said):
        answers.answer("tune", {**ASKED, **changed}, lambda _: None)


def test_explorations_are_computed_by_the_engine_of_the_server(tmp_path: Path) -> None:
    from foretell.uses.explore import engine

    opened: list[str] = []

    def chosen() -> engine.Engine:
        opened.append("engine")
        return engine.serial()

    space = {"code": {"name": "space.toml", "text": GOOD}}
    here = Answers(Codes(tmp_path / "1")).answer("explore", space, lambda _: None)
    elsewhere = Answers(Codes(tmp_path / "2"), chosen).answer("explore", space, lambda _: None)
    assert opened == ["engine"]
    assert here["front"] == elsewhere["front"]


def test_a_worker_connects_to_its_cluster_before_it_is_confined(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.uses.explore import engine

    monkeypatch.delenv("FORETELL_WORKER_DASK", raising=False)
    assert worker._engine() is None
    monkeypatch.setenv("FORETELL_WORKER_DASK", "tcp://10.0.0.1:8786")
    asked: list[str] = []

    def connect(address: str) -> engine.Engine:
        asked.append(address)
        return engine.serial()

    monkeypatch.setattr(engine, "dask", connect)
    made = worker._engine()
    assert asked == ["tcp://10.0.0.1:8786"]
    assert made is not None
    assert made().name == "serial"


def test_a_cluster_that_does_not_answer_is_an_error_of_the_job_not_of_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from foretell.uses.explore import engine

    def refuse(_: str) -> engine.Engine:
        raise ToolError("no scheduler answers")

    monkeypatch.setattr(engine, "dask", refuse)
    made = engines.prepared(lambda: engines.dask_cluster("tcp://10.0.0.1:8786"))
    with pytest.raises(ToolError, match="no scheduler"):
        made()


#: a worker process of a pool with a cluster of one worker; writes the front, and whether the process was confined
CLUSTER = """
import asyncio, json, sys
from distributed import LocalCluster
from foretell.serve.pool.pool import Pool, PoolLimits

async def explore(address):
    pool = Pool(1, PoolLimits(), warm=False, dask=address)
    await pool.start()
    try:
        asked = {"code": {"name": "space.toml", "text": sys.argv[1]}}
        answer = await pool.ask("explore", asked, seconds=120)
        print(json.dumps({"front": answer["front"], "confined": pool.confined}))
    finally:
        await pool.close()

if __name__ == "__main__":
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(processes=False, protocol="tcp://", **options) as cluster:
        asyncio.run(explore(cluster.scheduler_address))
"""


def test_a_confined_worker_explores_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    done = subprocess.run([sys.executable, script, GOOD], capture_output=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr.decode()
    elsewhere = json.loads(done.stdout)
    space = {"code": {"name": "space.toml", "text": GOOD}}
    here = Answers(Codes(tmp_path / "codes")).answer("explore", space, lambda _: None)
    assert elsewhere["front"] == json.loads(json.dumps(here["front"]))


# ------------------------------------------------------------------------------------------------- MPI


def test_the_other_ranks_answer_before_the_worker_is_confined(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from foretell.uses.explore import engine

    opened: list[ThreadPoolExecutor] = []

    class Ranks(ThreadPoolExecutor):
        def __init__(self) -> None:
            super().__init__(2)
            opened.append(self)
            self.asked = 0

        def submit(self, *words: Any, **how: Any) -> Any:
            self.asked += 1
            return super().submit(*words, **how)

    monkeypatch.setenv("FORETELL_WORKER_MPI", "1")
    monkeypatch.setattr(engine, "mpi", lambda: engine.Engine("mpi", 2, Ranks))
    made = worker._engine()
    assert made is not None
    assert opened[0].asked == 8  # type: ignore[attr-defined]
    for _ in range(2):  # an exploration does not end the ranks
        with made().open() as executor:
            assert executor.submit(abs, -3).result() == 3
    assert len(opened) == 1
    opened[0].shutdown()


def test_ranks_are_launched_with_their_variables_and_end_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []
    monkeypatch.setattr(launched.running, "die_with_parent", said.append)
    monkeypatch.setattr(os, "execvp", lambda program, words: said.append((program, words)))
    launched.main(42, ["mpiexec", "-n", "3", "python"])
    assert said == [42, ("mpiexec", ["mpiexec", "-n", "3", "python"])]
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SECRET", "8")
    given = Pool(1, mpi=("srun", "-n", "3"), warm=False)
    own = given._environment()
    assert own["SLURM_JOB_ID"] == "7"
    assert "SECRET" not in own
    words = given._command()
    assert words[1:8] == ["-m", "foretell.serve.pool.launched", str(os.getpid()), "srun", "-n", "3", sys.executable]
    assert words[8:] == ["-m", "mpi4py.futures", "-m", "foretell.serve.pool.worker", str(given.folder)]
    assert "SLURM_JOB_ID" not in Pool(1, warm=False)._environment()


def test_ranks_are_replaced_all_when_a_question_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a launcher that starts a plain worker: it is killed, not interrupted."""

    def plain(_: object, module: str, folder: str) -> list[str]:
        return [sys.executable, "-m", module, folder, str(os.getpid())]

    monkeypatch.setattr(launched, "command", plain)

    async def run() -> None:
        pool = Pool(1, PoolLimits(), warm=False, mpi=("mpiexec",))
        await pool.start()
        try:
            await pool.ask("machine", {"on": "zen4"})
            (first,) = pool._every
            asking = asyncio.ensure_future(pool.ask("explore", {"code": {"name": "s.toml", "text": "x" * 1000000}}))
            while not pool._turns._in_work:
                await asyncio.sleep(0)
            asking.cancel()
            assert (await pool.ask("machine", {"on": "zen4"}))["name"] == "zen4"
            assert first not in pool._every
        finally:
            await pool.close()

    asyncio.run(run())


def test_a_confined_worker_explores_on_mpi_ranks(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py", reason="the extra mpi is not installed")
    beside = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))  # noqa: PTH120 - of a link
    mpiexec = shutil.which("mpiexec", path=beside)
    if mpiexec is None:
        pytest.skip("the package mpich is not installed")

    async def run() -> tuple[Document, bool | None]:
        pool = Pool(1, PoolLimits(), warm=False, mpi=(mpiexec, "-n", "3"))
        await pool.start()
        try:
            asked = {"code": {"name": "space.toml", "text": GOOD}}
            for _ in range(2):
                answer = await pool.ask("explore", asked, seconds=120)
            return answer, pool.confined
        finally:
            await pool.close()

    elsewhere, _ = asyncio.run(run())
    here = Answers(Codes(tmp_path / "codes")).answer("explore", {"code": {"name": "space.toml", "text": GOOD}}, len)
    assert elsewhere["front"] == json.loads(json.dumps(here["front"]))
