"""The page of programs without a browser: captures by form and by script, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.serve.pool.asked import MOST_CAPTURE_BYTES
from foretell.uses.program_run import modules
from tests.support.frontends.captures import vector_addition
from tests.support.serve.web import TOKEN, Client, Reply, local, multipart
from tests.unit.uses.program_run.test_program_run import FakeModule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = {"accept": "text/html"}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(modules, "Module", FakeModule)
    with Client(local(tmp_path, rate=1e6, burst=1e6)) as opened:
        opened.headers["authorization"] = f"Bearer {TOKEN}"
        yield opened


@pytest.fixture
def capture(tmp_path: Path) -> bytes:
    return vector_addition(tmp_path / "app.capture", b"\x7fELF").read_bytes()


def sent(client: Client, data: bytes, question: str = "predict", name: str = "app.capture", on: str = "h200") -> Reply:
    path = f"/program/{question}?name={name}&on={on}"
    return client.request("POST", path, data, {"content-type": "application/octet-stream"})


def test_a_capture_is_answered_as_a_program(client: Client, capture: bytes) -> None:
    predicted = sent(client, capture)
    assert predicted.status == 200, predicted.text
    shown = predicted.json()["html"]
    for words in ("app.capture: 3 launches; on h200", "copies and sets", "critical path", "timeline", "vecadd"):
        assert words in shown
    assert "what changes would bring" in sent(client, capture, "why").json()["html"]


def test_all_gpus_are_ranked(client: Client, capture: bytes) -> None:
    shown = sent(client, capture, "rank").json()["html"]
    assert "more GPUs" in shown
    assert shown.index(">GPUs<") < shown.index("kernels")
    assert "b200" in shown


def test_the_form_works_without_a_script(client: Client, capture: bytes) -> None:
    assert 'enctype="multipart/form-data"' in client.get("/program", **PAGE).text
    body, kind = multipart({"question": "predict", "machine": "a100"}, "app.capture", capture, field="capture")
    page = client.request("POST", "/program", body, {"content-type": kind, **PAGE})
    assert page.status == 200
    assert "on a100" in page.text
    assert '<option value="a100" selected>' in page.text
    nothing = client.submit("/program", {"question": "why"})
    assert nothing.status == 422
    assert "no capture was chosen" in nothing.text


def test_wrong_captures_are_refused_by_name(client: Client, capture: bytes) -> None:
    middle = len(capture) // 2
    for data, name, question, words in (
        (capture[:middle], "app.capture", "predict", "cut off"),
        (capture[:100] + bytes([capture[100] ^ 1]) + capture[101:], "app.capture", "why", "damaged"),
        (b"no capture at all " * 9, "app.capture", "predict", "is no capture"),
        (capture, "app.exe", "predict", "does not end in .capture"),
        (capture, "..%2Fapp.capture", "predict", "not possible here"),
        (capture, "app.capture", "tune", "no question"),
        (b"", "app.capture", "predict", "no capture was chosen"),
    ):
        refused = sent(client, data, question, name)
        assert refused.status == 422, refused.text
        assert words in refused.json()["error"]["message"]
        assert "Traceback" not in refused.text
        assert str(client.settings.folder) not in refused.text
    assert "nowhere" in sent(client, capture, on="nowhere").json()["error"]["message"]


def test_captures_may_be_larger_than_codes_but_not_without_end(client: Client, capture: bytes) -> None:
    larger = capture + bytes(9 << 20)  # beyond the body of other questions: what follows the blobs is not read
    assert sent(client, larger).status == 200
    assert sent(client, bytes(MOST_CAPTURE_BYTES + 1)).status == 422
    too_large = sent(client, bytes(client.settings.capture_bytes + 1))
    assert too_large.status == 413
    assert "more than" in too_large.text
