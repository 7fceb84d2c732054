"""Worker processes: the same answers as the command line, nothing of the host, limits, cancellation."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from foretell.errors import InputError, ToolError
from foretell.limits import LimitError
from foretell.serve.pool import frames
from foretell.serve.pool.answering import Answers
from foretell.serve.pool.codes import Codes
from foretell.serve.pool.pool import AnswerError, Pool, PoolLimits
from foretell.serve.pool.process import WorkerProcess
from foretell.serve.pool.worker import Worker, error_document
from tests.support.serve.web import ASKED, TRIAD

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Document = dict[str, Any]
TUNED = {"code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 128, "m": 128}}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    return Answers(Codes(tmp_path_factory.mktemp("codes")))


def ask(answers: Answers, name: str, **changed: Any) -> Document:
    return answers.answer(name, {**ASKED, **changed}, lambda _: None)


def test_a_prediction_is_that_of_the_interface(answers: Answers, tmp_path: Path) -> None:
    file = tmp_path / "triad.c"
    file.write_text(TRIAD)
    expected = foretell.predict(file, "zen4", parameters={"n": 1000}, cc="none").to_dict()
    document = ask(answers, "predict")
    for name in ("time_s", "bounds", "parts", "interval_s", "machine_hash", "input_hash", "options", "assumptions"):
        assert document[name] == expected[name], name


def test_lines_sizes_and_machine_numbers_come_with_a_prediction(answers: Answers) -> None:
    document = ask(answers, "annotate", set={"memory.bandwidth": "1GB/s"})
    shares = {line["line"]: line["share"] for line in document["lines"]}
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=lambda line: shares[line]) == 3
    assert document["sizes"] == [{"name": "n", "value": 1000.0, "given": True}]
    numbers = {entry["path"]: entry for entry in document["machine_parameters"]}
    assert numbers["memory.bandwidth"]["value"] == 1e9
    assert numbers["memory.bandwidth"]["original"] == 378e9


def test_sizes_without_a_value_are_guessed_only_on_request_and_said(answers: Answers) -> None:
    with pytest.raises(InputError, match="without a value: n"):
        ask(answers, "annotate", parameters={})
    document = ask(answers, "annotate", parameters={}, guess=True)
    assert document["sizes"] == [{"name": "n", "value": 1000.0, "given": False}]


def test_every_question_has_its_document(answers: Answers) -> None:
    assert ask(answers, "why")["sensitivities"]
    ranked = ask(answers, "rank", on=["zen4", "zen3"], guess=True, parameters={})
    assert {entry["machine"] for entry in ranked["predictions"]} == {"zen4", "zen3"}
    assert "one thread" in ask(answers, "rank", on=["zen4"], threads=2)["refused"][0]["reason"]
    assert "one thread" in ask(answers, "rank", on=["zen4"], threads="all")["refused"][0]["reason"]
    mixed = ask(answers, "rank", on=["zen4", {"name": "bad.toml", "text": "= x"}])
    assert [entry["machine"] for entry in mixed["predictions"]] == ["zen4"]
    assert [entry["name"] for entry in mixed["refused"]] == ["bad"]
    curve = ask(answers, "sizes")
    assert [point["size"] for point in curve["points"]] == sorted(point["size"] for point in curve["points"])
    assert curve["points"][-1]["time_s"] > curve["points"][0]["time_s"]
    base = {"name": "triad.c", "text": TRIAD.replace("s * c[i]", "s / c[i]")}
    compared = ask(answers, "check", base=base)
    assert compared["changes"][0]["verdict"] == "faster"
    advice = ask(answers, "advise", depth=1)
    assert any("#pragma omp" in change["text"] for change in advice["changes"])
    machine = answers.answer("machine", {"on": "zen4"}, lambda _: None)
    assert machine["parameters"]["clock.frequency"]["value"] == 2.4e9
    assert {"name", "kind", "title"} == answers.answer("machines", {}, lambda _: None)["machines"][0].keys()
    assert "annotate" in answers.names


@pytest.mark.parametrize(
    ("question", "changed", "said"),
    [
        ("nothing", {}, "no question"),
        ("predict", {"on": None}, "which machine"),
        ("check", {}, "the version before"),
        ("rank", {"on": [{"name": "bad.toml", "text": "= x"}]}, "bad.toml"),
        ("sizes", {"sizes": "m"}, "no size of this code"),
        ("tune", {"job": {"strategy": "luck"}}, "none of static"),
        ("tune", {"job": 3}, "give an object"),
    ],
)
def test_wrong_questions_are_refused(answers: Answers, question: str, changed: Document, said: str) -> None:
    given = {**(TUNED if question == "tune" else ASKED), **changed}
    with pytest.raises(InputError, match=said):
        answers.answer(question, given, lambda _: None)


def test_jobs_say_how_far_they_are(answers: Answers, tmp_path: Path) -> None:
    said: list[Document] = []
    given = {**TUNED, "job": {"journal": str(tmp_path / "j"), "budget": 2, "strategy": "hybrid"}}
    document = answers.answer("tune", given, said.append)
    assert document["best"]
    assert said[-1]["done"] == said[-1]["total"]
    from tests.support.explore import GOOD

    space = {"code": {"name": "space.toml", "text": GOOD}}
    assert answers.answer("explore", space, said.append)["front"]


def test_a_gpu_kernel_is_predicted_from_its_listing(answers: Answers) -> None:
    page = (Path(__file__).parents[3] / "docs/how-to/predict-a-gpu-kernel.md").read_text()
    text = page.partition("```text file=copy.sass\n")[2].partition("```")[0]
    launch = {"grid": "4096", "block": 256, "args": ["f32[1048576]", "f32[1048576]", "1048576"]}
    document = answers.answer(
        "annotate", {"code": {"name": "copy.sass", "text": text}, "on": "h200", **launch}, lambda _: None
    )
    assert document["prediction"]["model"] == "gpu"
    assert document["prediction"]["bottleneck"]["resource"]
    assert document["machine_parameters"]


def test_machine_files_of_clients_are_texts(answers: Answers) -> None:
    text = 'name = "mine"\nbase = "zen4"\nkind = "cpu"\n'
    with pytest.raises(InputError):
        answers.answer("machine", {"on": {"name": "mine.toml", "text": "= broken"}}, lambda _: None)
    try:
        document = answers.answer("machine", {"on": {"name": "mine.toml", "text": text}}, lambda _: None)
    except InputError as error:
        assert "mine.toml" in str(error)  # the grammar of machine files may ask for more
    else:
        assert document["name"] == "mine"


def test_equal_contents_are_one_file_and_old_ones_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.serve.pool import codes
    from foretell.serve.pool.asked import Code

    monkeypatch.setattr(codes, "_MOST_FOLDERS", 3)
    kept = Codes(tmp_path / "codes")
    first = kept.file(Code("a.c", b"0"))
    assert kept.file(Code("a.c", b"0")) == first
    for number in range(5):
        kept.file(Code("a.c", str(number).encode()))
    assert len(list((tmp_path / "codes").iterdir())) == 3
    assert codes._changed(tmp_path / "removed") == 0.0
    assert kept.without_folder(f"in {first}:3, {tmp_path}/codes/x") == f"in a.c:3, {tmp_path}/codes/x".replace(
        f"{tmp_path}/codes/", ""
    )


def test_a_code_that_another_worker_removed_is_written_again(answers: Answers) -> None:
    asked = {**ASKED, "code": {"name": "again.c", "text": TRIAD}}
    first = answers.answer("predict", asked, lambda _: None)
    for file in answers._codes.folder.glob("*/again.c"):
        file.unlink()
    assert answers.answer("annotate", asked, lambda _: None)["prediction"]["time_s"] == first["time_s"]
    assert list(answers._codes.folder.glob("*/again.c"))


# ----------------------------------------------------------------------------------------------- a worker in process


def exchange(folder: Path, *messages: Document) -> list[Document]:
    """What a worker writes for these messages."""
    incoming = io.BytesIO(b"".join(map(frames.encoded, messages)))
    outgoing = io.BytesIO()
    Worker(folder, incoming, outgoing, True).run()
    outgoing.seek(0)
    replies = []
    while (reply := frames.read(outgoing)) is not None:
        replies.append(reply)
    return replies


def test_a_worker_answers_in_order_and_names_no_file_of_the_host(tmp_path: Path) -> None:
    asked = {"id": 1, "question": "annotate", "document": ASKED}
    wrong = {"id": 2, "question": "predict", "document": {**ASKED, "code": {"name": "a.c", "text": "int x"}}}
    ready, answer, error = exchange(tmp_path, asked, wrong)
    assert ready == {"ready": True, "confined": True}
    assert answer["answer"]["prediction"]["nests"][0]["file"] == "triad.c"
    assert answer["resident_bytes"] > 1 << 20
    assert error["error"]["kind"] == "input"
    assert str(tmp_path) not in json.dumps([answer, error])


def test_errors_are_documents_and_bugs_say_little(capsys: pytest.CaptureFixture[str]) -> None:
    assert error_document(LimitError("too long"))["kind"] == "limit"
    assert error_document(ToolError("no nvcc"))["kind"] == "tool"
    assert error_document(MemoryError())["kind"] == "limit"
    assert error_document(KeyError("secret")) == {"kind": "internal", "message": "internal error: KeyError"}
    assert "secret" in capsys.readouterr().err


def test_an_interruption_ends_only_a_question_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker(tmp_path, io.BytesIO(), io.BytesIO(), True)
    worker.interrupt()

    class Stuck:
        def answer(self, *_: object) -> Document:
            worker.interrupt()
            raise AssertionError

    monkeypatch.setattr(worker, "_load", Stuck)
    assert worker._reply({"id": 1, "question": "x", "document": {}})["error"]["kind"] == "cancelled"


def test_messages_have_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MOST_BYTES", 200)
    outgoing = io.BytesIO()
    Worker(tmp_path, io.BytesIO(), outgoing, True)._send({"id": 7, "answer": "x" * 300})
    outgoing.seek(0)
    reply = frames.read(outgoing)
    assert reply is not None
    assert "more than the limit" in reply["error"]["message"]


# ------------------------------------------------------------------------------------------------- real processes


def with_pool(work: Callable[[Pool], Awaitable[None]], **limits: Any) -> None:
    async def run() -> None:
        pool = Pool(1, PoolLimits(**limits), warm=False)
        await pool.start()
        try:
            await work(pool)
        finally:
            await pool.close()
        assert not pool.folder.exists()

    asyncio.run(run())


def code(text: str) -> Document:
    return {**ASKED, "code": {"name": "a.c", "text": text}}


def test_a_worker_sees_nothing_of_the_host(tmp_path: Path) -> None:
    secret = tmp_path / "secret.h"
    secret.write_text("#define REPEATED 7\n")

    async def work(pool: Pool) -> None:
        plain = await pool.ask("predict", code(TRIAD))
        assert plain["time_s"] > 0
        if not pool.confined:
            pytest.skip("no Landlock here")
        link = pool.folder / "codes" / "link.h"
        link.symlink_to(secret)
        beside = pool.folder.parent / f"{pool.folder.name}.sqlite"  # as the store is beside the folder of workers
        beside.write_text("#define REPEATED 7\n")
        readable = (str(secret), str(link), str(beside), f"../../../{beside.name}", "/etc/passwd", "/proc/self/environ",
                    "/proc/1/cmdline")  # fmt: skip
        for file in readable:
            text = f'#include "{file}"\n#ifndef REPEATED\n#define REPEATED 1\n#endif\n'
            body = TRIAD.replace("i < n", "i < n * REPEATED")
            try:
                answer = await pool.ask("predict", code(text + body))
            except AnswerError as error:
                assert "root:" not in json.dumps(error.document)
            else:  # as if the file were not there
                assert answer["time_s"] == plain["time_s"]
                assert "root:" not in json.dumps(answer)
        beside.unlink()

    with_pool(work)


MACHINE = {"on": "zen4"}


async def in_work(pool: Pool, asking: asyncio.Future[Document]) -> None:
    """A worker has the question: it has said how far it is, or is known to be taken."""
    while not pool._turns._in_work and not asking.done():
        await asyncio.sleep(0)


def test_questions_end_or_are_cancelled_and_others_go_on() -> None:
    """A limit of time, a cancelled question, a killed worker: each concerns one question only."""

    async def work(pool: Pool) -> None:
        await pool.ask("machine", MACHINE)
        with pytest.raises(AnswerError, match=r"takes longer than 0\.001 s"):
            await pool.ask("rank", {**ASKED, "on": None}, seconds=0.001)
        await pool.ask("machine", MACHINE)
        older = asyncio.ensure_future(pool.ask("rank", {**ASKED, "on": None}))
        await in_work(pool, older)
        older.cancel()
        assert (await pool.ask("machine", MACHINE))["name"] == "zen4"
        with pytest.raises(asyncio.CancelledError):
            await older
        asking = asyncio.ensure_future(pool.ask("rank", {**ASKED, "on": None}))
        await in_work(pool, asking)
        for worker in [*pool._every]:
            os.kill(worker.process.pid, signal.SIGKILL)
        with pytest.raises(AnswerError, match="the worker ended"):
            await asking
        assert (await pool.ask("machine", MACHINE))["name"] == "zen4"

    with_pool(work)


def test_workers_are_replaced_and_queues_have_an_end() -> None:
    async def work(pool: Pool) -> None:
        await pool.ask("machine", MACHINE)
        before = {worker.process.pid for worker in pool._every}
        await pool.ask("machine", MACHINE)
        assert not before & {worker.process.pid for worker in pool._every}
        waiting = [asyncio.ensure_future(pool.ask("machine", MACHINE)) for _ in range(3)]
        done, _ = await asyncio.wait(waiting)
        refused = [task.exception() for task in done if task.exception() is not None]
        assert refused
        assert all("too many questions" in str(error) for error in refused)

    with_pool(work, questions=2, waiting=1)


def test_workers_that_cannot_start_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.serve.pool import pool as pools

    started: list[object] = []
    original = asyncio.create_subprocess_exec

    async def counted(*words: Any, **how: Any) -> Any:
        started.append(words)
        return await original("false", **how) if len(started) == 1 else await original(*words, **how)

    async def at_once(_: float) -> None:
        return None

    monkeypatch.setattr(pools.asyncio, "create_subprocess_exec", counted)
    monkeypatch.setattr(pools.asyncio, "sleep", at_once)

    async def work(pool: Pool) -> None:
        assert (await pool.ask("machine", MACHINE))["name"] == "zen4"

    with_pool(work)
    assert len(started) == 2


def test_the_exit_status_of_a_worker_has_one_reader(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """asyncio's watcher waits for workers. `Popen.poll`, which sends of `Popen` begin with, would take its status."""
    polled: list[object] = []
    original = subprocess.Popen.poll

    def poll(self: subprocess.Popen[bytes]) -> int | None:
        polled.append(self.args)
        return original(self)

    monkeypatch.setattr(subprocess.Popen, "poll", poll)

    async def work(pool: Pool) -> None:
        await pool.ask("machine", MACHINE)
        (first,) = pool._every
        os.kill(first.process.pid, signal.SIGKILL)
        first.kill()
        first.interrupt()
        with pytest.raises(AnswerError, match="the worker ended"):
            await pool.ask("machine", MACHINE)
        with pytest.raises(AnswerError, match="takes longer"):
            await pool.ask("rank", {**ASKED, "on": None}, seconds=0.001)
        await pool.ask("machine", MACHINE)
        assert first.process.returncode == -signal.SIGKILL
        assert not pool._ending

    with_pool(work)
    assert polled == []
    assert "child process" not in caplog.text


def test_without_handles_of_the_kernel_workers_are_signalled_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> int:
        raise OSError(38, "not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)

    async def run() -> None:
        worker = WorkerProcess(await asyncio.create_subprocess_exec("sleep", "100"))
        worker.kill()
        await worker.ended()
        assert worker.process.returncode == -signal.SIGKILL
        worker.kill()  # nobody is there any more

    asyncio.run(run())


def test_a_process_becomes_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start of a worker, without its effects on this process."""
    from foretell.serve.pool import worker

    said: list[tuple[str, Any]] = []
    monkeypatch.setattr(worker.running, "die_with_parent", lambda parent: said.append(("parent", parent)))
    monkeypatch.setattr(worker.running, "confine", lambda readable, writable: said.append(("seen", writable)) or True)
    monkeypatch.setattr(worker.resource, "setrlimit", lambda kind, limit: said.append(("limit", limit)))
    monkeypatch.setattr(worker.limits, "watch", lambda: None)
    monkeypatch.setattr(worker.signal, "signal", lambda *_: None)
    monkeypatch.setattr(worker.warnings, "simplefilter", lambda *_: None)
    monkeypatch.setattr(worker.os, "dup2", lambda *_: None)
    monkeypatch.setattr(
        worker.Worker, "run", lambda self: (self._out.close(), said.append(("confined", self._confined)))
    )
    monkeypatch.setattr(worker.sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setenv("FORETELL_WORKER_BYTES", "5000")
    worker.main(tmp_path, 42)
    assert ("parent", 42) in said
    assert ("limit", (5000, 5000)) in said
    assert ("seen", [tmp_path, "/dev/null", "/dev/zero"]) in said
    assert said[-1] == ("confined", True)
