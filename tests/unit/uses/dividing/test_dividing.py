"""Work divided between devices with code of their own: split files, shares, and the measured splits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.core.answers.dividing import MeasuredSplit, SplitReplay
from foretell.errors import InputError
from foretell.uses.dividing import description, replay, shares
from tests.support.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDED = Path(replay.__file__).parents[1] / "recorded" / "split"
TWO = """
items = 1000
[device.cpu]
machine = "neoverse-n1"
code = "a.c"
[device.gpu]
machine = "h200"
code = "a.sass"
to_device = ["4000 * items"]
to_host = ["1000 * items"]
"""


def written(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "a.split.toml"
    path.write_text(content)
    return path


def curve(seconds: Callable[[float], float], spread: float = 1.0, items: int = 1000) -> shares.Curve:
    counts = np.array([items / 8, items / 4, items / 2, items])
    middle = np.array([seconds(count) for count in counts])
    device: Any = SimpleNamespace(machine=SimpleNamespace(name="x"))
    return shares.Curve(device, counts, np.array([middle / spread, middle, middle * spread]), 0.0)


def work(items: int = 1000, step: int = 1) -> Any:
    return SimpleNamespace(items=items, step=step, name="work")


def test_certain_times_that_grow_with_the_items_end_together() -> None:
    fast, slow = curve(lambda n: 1e-6 * n), curve(lambda n: 3e-6 * n)
    assert shares.best_items([fast, slow], work()) == 750
    assert shares.best_items([slow, fast], work()) == 250
    assert shares.best_items([fast, slow], work(step=100)) in (700, 800)


def test_a_start_that_costs_more_than_it_saves_leaves_the_device_out() -> None:
    host, offload = curve(lambda n: 1e-6 * n), curve(lambda n: 5e-3 + 1e-9 * n)
    assert shares.best_items([host, offload], work()) == 1000
    assert offload.at(np.array([0.0, 1.0]))[1].tolist() == [0.0, pytest.approx(5e-3, rel=1e-6)]


def test_a_gain_smaller_than_what_is_not_known_is_not_taken() -> None:
    quick, uncertain = curve(lambda n: 1e-6 * n), curve(lambda n: 70e-6 * n, spread=1.0)
    assert shares.best_items([quick, uncertain], work()) < 1000
    doubtful = curve(lambda n: 20e-6 + 70e-6 * n, spread=3.0)
    assert shares.best_items([quick, doubtful], work(step=20)) == 1000


def test_copies_go_over_the_link_before_and_after_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = SimpleNamespace(time_s=1e-3, interval_s=None)
    monkeypatch.setattr(description.DeviceCode, "case", lambda self, items: SimpleNamespace(predict=lambda: found))
    answer = shares.divided(description.read(written(tmp_path, TWO)))
    cpu, gpu = answer.shares
    assert (cpu.machine, gpu.machine, cpu.transfer_s) == ("neoverse-n1", "h200", 0.0)
    # 4 and 1 MB at 0.86 of 64 GB/s, two starts of copies, and the host's time to submit the first copy
    assert gpu.transfer_s == pytest.approx(5e6 / 55.04e9 + 3.36e-6 + 2.37e-6 + 3.4e-6, rel=0.05)
    assert answer.best_alone_s == pytest.approx(1e-3)
    assert answer.split_s <= answer.best_alone_s


def asked(path: Path) -> None:
    gpu = description.read(path).devices[1]
    gpu.copies(1, "to_host")
    gpu.case(1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("items = 1000", "items = 0"), "items: must be a whole number"),
        (("items = 1000", "items = 1000\nitms = 3"), "unknown key"),
        (('machine = "h200"', 'machine = "h2000"'), "device.gpu.machine"),
        (('machine = "h200"', ""), "machine is missing"),
        (("[device.gpu]", "[other.gpu]"), "unknown key"),
        (('["1000 * items"]', '["1000 * rows"]'), "device.gpu.to_host"),
        (('["1000 * items"]', '"1000 * items"'), "must be a list of texts"),
        (('code = "a.sass"', 'code = "absent.sass"'), "device.cpu|device.gpu"),
    ],
)
def test_wrong_files_are_refused_with_key_and_line(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    path = written(tmp_path, TWO.replace(*change))
    with pytest.raises(InputError, match=words) as caught:
        asked(path)
    assert caught.value.file == str(path)
    assert caught.value.line or "machine is missing" in words


def test_one_device_or_three_are_refused(tmp_path: Path) -> None:
    single = TWO[: TWO.index("[device.gpu]")]
    with pytest.raises(InputError, match="needs two devices"):
        description.read(written(tmp_path, single))
    third = TWO + TWO[TWO.index("[device.cpu]") : TWO.index("[device.gpu]")].replace("cpu", "more")
    with pytest.raises(InputError, match="has 3 devices"):
        shares.divided(description.read(written(tmp_path, third)))


def test_numbers_are_expressions_over_the_items() -> None:
    made = description.read(RECORDED / "stencil.split.toml")
    cpu, gpu = made.devices
    launch = gpu.case(10).workload.facets[0].launch  # type: ignore[attr-defined]
    assert (launch.grid, launch.block) == ((12, 48, 10), (32, 8, 1))
    assert [pointer.count for pointer in launch.pointers] == [384 * 384 * 12] * 2
    assert gpu.copies(10, "to_device") == [4 * 384 * 384 * 12]
    assert cpu.case(10).workload.parameters["end"] == 11


def test_the_command_divides_and_refuses(tmp_path: Path) -> None:
    file = str(RECORDED / "matmul.split.toml")
    result = run("split", file, "--format", "json")
    assert result.code == 0, result.err
    first, second = json.loads(result.out)["shares"]
    assert first["items"] + second["items"] == 1024
    assert second["share"] > 0.9
    assert run("split", file, "--on", "h200").code == 2
    assert run("split", str(tmp_path / "absent.split.toml")).code == 3


def test_a_measured_split_is_replayed(tmp_path: Path) -> None:
    for file in ("options.split.toml", "options.c", "options.s.xz", "options.sass.xz", "shares.csv"):
        (tmp_path / "split").mkdir(exist_ok=True)
        (tmp_path / "split" / file).write_bytes((RECORDED / file).read_bytes())
    lines = (RECORDED / "shares.csv").read_text().splitlines()
    kept = [line for line in lines if line.startswith(("code", "options"))]
    (tmp_path / "split" / "shares.csv").write_text("\n".join(kept))
    (tmp_path / "differences").mkdir()
    machine = RECORDED.parent / "differences" / "xeon-16.toml"
    (tmp_path / "differences" / "xeon-16.toml").write_bytes(machine.read_bytes())
    told: list[str] = []
    answer = replay.replay(told.append, tmp_path / "split")
    assert told == ["options"]
    (code,) = answer.codes
    assert code.best_share == pytest.approx(0.9, abs=1e-3)
    assert code.measured_alone_s == (14.6085e-3, 1.6680e-3)
    assert code.alone_s[1] == pytest.approx(code.measured_alone_s[1], rel=0.1)
    assert answer.median == answer.least == code.reached >= 0.9
    assert "of the best measured split" in str(answer)
    assert "SplitReplay of 1 codes" in repr(answer)


def test_the_forms_of_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    one = MeasuredSplit("a", "title", 0.2, 0.3, 1e-3, 1.25e-3, 1e-3, (2e-3, 3e-3), (2e-3, 4e-3))
    monkeypatch.setattr(replay, "replay", lambda _: SplitReplay(("cpu", "gpu"), (one, replace(one, time_s=1e-3))))
    document = json.loads(run("validate", "split", "--format", "json").out)
    assert (document["least"], document["median"]) == (pytest.approx(0.8), pytest.approx(0.9))
    assert [row["reached"] for row in document["codes"]] == [pytest.approx(0.8), 1.0]
    assert run("validate", "split", "--format", "csv").out.count("\n") == 3
    assert "90.0% of the best measured split in the median, 80.0% at worst" in run("validate", "split").out
