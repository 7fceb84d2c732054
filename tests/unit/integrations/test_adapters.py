"""Adapters to other tuners, with small stand-ins for their packages, and with these themselves where installed."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import foretell
import foretell.uses
from foretell.core.gpu.launch import Pointer, Scalar
from foretell.errors import InputError, MissingExtraError, OptionError
from foretell.frontends.gpu import triton as frontend
from foretell.frontends.gpu.arguments import parse_argument
from foretell.frontends.gpu.sass import nvdisasm
from foretell.frontends.gpu.workload import read_kernel
from foretell.integrations import helion, kernel_tuner, opentuner, optuna
from foretell.integrations import triton as adapter
from foretell.integrations.order import plain, predicted_order
from foretell.uses.tuning.space import Axis, KernelSpace
from tests.support.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable

LISTING = Path(foretell.uses.__file__).parent / "recorded" / "gpu" / "copy_f32.sass.xz"


def copy() -> KernelSpace:
    axes = (Axis("BLOCK", (32.0, 2048.0, 256.0)),)
    return KernelSpace(
        LISTING, axes, ("ceil(n/BLOCK)",), ("BLOCK",), ("f32[n]", "f32[n]", "n"), constants={"n": float(1 << 16)}
    )


def test_the_order_of_configurations() -> None:
    found = predicted_order(copy(), "h200")
    assert [plain(variant) for variant in found] == [{"BLOCK": 256}, {"BLOCK": 32}, {"BLOCK": 2048}]
    assert opentuner.seeds(copy(), "h200", count=1) == [{"BLOCK": 256}]
    assert opentuner.walk_seed(copy(), "h200")[0]["BLOCK"] in (32, 256)


class Study:
    def __init__(self) -> None:
        self.trials: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def enqueue_trial(self, params: dict[str, Any], user_attrs: dict[str, Any], skip_if_exists: bool) -> None:
        assert skip_if_exists
        self.trials.append((params, user_attrs))


def test_trials_of_optuna() -> None:
    study = Study()
    assert optuna.seed(study, copy(), "h200", count=5) == [{"BLOCK": 256}, {"BLOCK": 32}]
    assert [params for params, _ in study.trials] == [{"BLOCK": 256}, {"BLOCK": 32}]
    assert study.trials[0][1]["predicted_s"] < study.trials[1][1]["predicted_s"]


def test_trials_of_the_real_optuna() -> None:
    package = pytest.importorskip("optuna")
    study = package.create_study()
    optuna.seed(study, copy(), "h200", count=2)
    asked = [study.ask({"BLOCK": package.distributions.CategoricalDistribution([32, 256])}) for _ in range(2)]
    assert [trial.params["BLOCK"] for trial in asked] == [256, 32]


class Budget:
    """Stands for Kernel Tuner's cost function."""

    def __init__(self, most: int) -> None:
        self.seen: list[tuple[Any, ...]] = []
        self.most = most

    @property
    def budget_spent_fraction(self) -> float:
        return len(self.seen) / self.most

    def __call__(self, values: tuple[Any, ...]) -> float:
        self.seen.append(values)
        return 1.0 / len(self.seen)


def test_a_strategy_of_kernel_tuner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = ModuleType("kernel_tuner.strategies.wrapper")
    module.OptAlgWrapper = lambda algorithm: algorithm  # type: ignore[attr-defined]
    for name in ("kernel_tuner", "kernel_tuner.strategies"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    algorithm = kernel_tuner.strategy(copy(), "h200")
    listed = [(32, "a"), (256, "a"), (32, "b"), (256, "b")]
    searchspace = SimpleNamespace(tune_params={"BLOCK": [32, 256], "KIND": ["a", "b"]}, list=listed)
    cost = Budget(3)
    best = algorithm(cost, searchspace)
    assert cost.seen == [(256, "a"), (256, "b"), (32, "a")]
    assert best == ((32, "a"), pytest.approx(1 / 3))
    cache = json.loads(kernel_tuner.predicted_cache(copy(), "h200", tmp_path / "kt.json").read_text())
    assert list(cache["cache"]) == ["32", "2048", "256"]
    monkeypatch.setitem(sys.modules, module.__name__, None)
    with pytest.raises(MissingExtraError, match="kernel-tuner"):
        kernel_tuner.strategy(copy(), "h200")


def test_strategy_and_cache_with_the_real_kernel_tuner(tmp_path: Path) -> None:
    package = pytest.importorskip("kernel_tuner")
    space = replace(copy(), name="copy_f32")
    cache = kernel_tuner.predicted_cache(space, "h200", tmp_path / "kt.json")
    results, _ = package.tune_kernel(
        "copy_f32", "__global__ void copy_f32(int n) {}", 65536, [np.int32(1)], {"BLOCK": [32, 2048, 256]}, lang="CUDA",
        quiet=True, block_size_names=["BLOCK"], strategy=kernel_tuner.strategy(space, "h200"),
        strategy_options={"max_fevals": 2}, cache=str(cache), simulation_mode=True,
    )  # fmt: skip
    assert [result["BLOCK"] for result in results] == [256, 32]


class Technique:
    """Stands for OpenTuner's class of techniques."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.manipulator = SimpleNamespace(random=lambda: {"BLOCK": 0, "OTHER": 7})


def test_a_technique_of_opentuner(monkeypatch: pytest.MonkeyPatch) -> None:
    module, registered = ModuleType("opentuner.search.technique"), []
    module.SearchTechnique = Technique  # type: ignore[attr-defined]
    module.register = registered.append  # type: ignore[attr-defined]
    for name in ("opentuner", "opentuner.search"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    opentuner.register(copy(), "h200", name="predicted")
    (made,) = registered
    assert made.name == "predicted"
    asked = []
    while made.is_ready():
        asked.append(made.desired_configuration())
    assert asked == [{"BLOCK": 256, "OTHER": 7}, {"BLOCK": 32, "OTHER": 7}]  # 2048 threads do not fit
    assert made.desired_configuration() is None
    only = opentuner.technique(copy(), "h200", most=1)
    assert only.is_ready()
    assert only.desired_configuration()["BLOCK"] == 256
    assert not only.is_ready()
    monkeypatch.setitem(sys.modules, module.__name__, None)
    with pytest.raises(MissingExtraError, match="opentuner"):
        opentuner.technique(copy(), "h200")


def test_a_technique_of_the_real_opentuner() -> None:
    package = pytest.importorskip("opentuner")
    manipulator = package.ConfigurationManipulator()
    manipulator.add_parameter(package.search.manipulator.EnumParameter("BLOCK", [32, 256, 2048]))
    made = opentuner.technique(copy(), "h200")
    made.manipulator = manipulator
    assert made.desired_configuration() == {"BLOCK": 256}
    opentuner.register(copy(), "h200", name="foretell-test")
    assert "foretell-test" in [item.name for item in package.search.technique.the_registry]


def test_a_filter_of_helion() -> None:
    def predict(config: dict[str, float]) -> float:
        if config["time"] < 0:
            raise InputError("unknown")
        return config["time"]

    keep = helion.config_filter(predict, slowest=2)
    times = (2.0, 5.0, 1.0, 2.0, 2.1, -1.0)
    kept = [bool(keep({"time": time})) for time in times]
    assert kept == [True, False, True, True, False, True]
    assert (keep.unpredicted, keep.problem) == (1, "unknown")
    with pytest.raises(InputError, match="at least 1"):
        helion.config_filter(predict, slowest=0.5)


class HelionConfig:
    """Stands for `helion.Config`: a mapping that is not a dictionary, told apart by identity."""

    def __init__(self, **config: object) -> None:
        self.config = config

    def __getitem__(self, name: str) -> object:
        return self.config[name]


def searched(
    configs: list[HelionConfig], autotune_config_filter: Callable[[HelionConfig], HelionConfig | None]
) -> list[HelionConfig]:
    """What a search of Helion 1.5 measures: a filter is `Callable[[Config], Config | None]`, called before compiling;
    what it returns is compiled in the place of the configuration."""
    return [kept for config in configs if (kept := autotune_config_filter(config)) is not None]


def test_a_filter_in_a_search_of_helion() -> None:
    configs = [HelionConfig(block_sizes=[size], num_warps=4) for size in (16, 64, 32, 128, 8, 256)]

    def predict(config: HelionConfig) -> float:
        (size,) = cast("list[int]", config["block_sizes"])
        if size == 8:
            raise RuntimeError("Helion cannot generate this")  # of a package that is not ours
        return math.nan if size == 256 else 1.0 / size

    keep = helion.config_filter(predict)
    assert searched(configs, keep) == [configs[place] for place in (0, 1, 3, 4, 5)]  # 32 is twice as slow as 64
    assert keep.best_s == 1 / 128
    assert (keep.unpredicted, keep.problem) == (2, "a predicted time of nan s")


def test_a_filter_of_the_real_helion() -> None:
    package = pytest.importorskip("helion")
    keep = helion.config_filter(lambda config: float(config["block_sizes"][0]))
    settings = package.Settings(autotune_config_filter=keep)
    config = package.Config(block_sizes=[64])
    assert settings.autotune_config_filter(config) is config
    assert settings.autotune_config_filter(package.Config(block_sizes=[128])) is None


# ------------------------------------------------------------------------------------------ Triton


class Jit:
    """Stands for a Triton function: copy(x, y, n, BLOCK)."""

    __name__ = "copy"
    arg_names = ("x", "y", "n", "BLOCK")


def config(**values: Any) -> Any:
    return SimpleNamespace(all_kwargs=lambda: {**values, "maxnreg": None, "ir_override": None})


@pytest.fixture
def standin(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A package triton whose compiler gives the code of copy_f32; returns what it was asked for."""
    asked: list[Any] = []
    triton, compiler, backends, target = (
        ModuleType(name) for name in ("triton", "triton.compiler", "triton.backends", "triton.backends.compiler")
    )

    def source(function: Any, signature: Any, constexprs: Any, attrs: Any) -> Any:
        return SimpleNamespace(signature=signature, constants=constexprs, attrs=attrs)

    def compile_(source: Any, target: Any, options: Any) -> Any:
        asked.append((source, target, options))
        if source.constants.get("BLOCK") == 7:
            raise ValueError("\narange's range must be a power of 2")
        metadata = SimpleNamespace(name="copy_f32", shared=0, num_warps=options["num_warps"])
        return SimpleNamespace(asm={"cubin": b"code"}, metadata=metadata)

    compiler.ASTSource = source  # type: ignore[attr-defined]
    target.GPUTarget = lambda *given: given  # type: ignore[attr-defined]
    triton.compiler, triton.backends, backends.compiler = compiler, backends, target  # type: ignore[attr-defined]
    triton.compile = compile_  # type: ignore[attr-defined]
    for module in (triton, compiler, backends, target):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(frontend.kernels, "decode_kernel", lambda *_: read_kernel(LISTING))
    return asked


def test_pruning_configurations_of_triton(standin: list[Any]) -> None:
    tensor = SimpleNamespace(dtype="torch.float32", numel=lambda: 1 << 16)
    named = {"x": tensor, "y": tensor, "n": 1 << 16}
    configs = [config(BLOCK=7, num_warps=1), config(BLOCK=32, num_warps=1), config(BLOCK=256, num_warps=8)]
    prune = adapter.prune(Jit(), "h200", keep=1)
    kept = prune(configs, named, grid=lambda meta: (meta["n"] // meta["BLOCK"],), warmup=False)
    assert kept == [configs[2]]
    assert isinstance(prune, adapter.Prune)
    assert "power of 2" in str(prune.predicted[0][1])
    assert adapter.prune(Jit(), "h200", keep=2)(configs, named, grid=lambda m: m["n"] // m["BLOCK"]) == configs[:0:-1]
    assert adapter.prune(Jit(), "h200")(configs[:1], named, grid=(1,)) == configs[:1]  # none can be predicted
    with pytest.raises(InputError, match="at least one"):
        adapter.prune(Jit(), "h200", keep=0)
    asked, target, options = standin[1]
    assert asked.signature == {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    assert set(asked.attrs) == {(0,), (1,), (2,)}
    assert target == ("cuda", 90, 32)
    assert options == {"num_warps": 1, "num_stages": 3, "num_ctas": 1}


def test_the_best_quick_predictions_are_made_again(standin: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = SimpleNamespace(dtype="torch.float32", numel=lambda: 1 << 16)
    named = {"x": tensor, "y": tensor, "n": 1 << 16}
    configs = [config(BLOCK=32, num_warps=warps) for warps in (1, 2, 4)]
    quick, exact = {32: 1.0, 64: 2.0, 128: 3.0}, {32: 2.5, 64: 2.2, 128: 0.5}

    def seconds(case: Any, *, precise: bool) -> float:
        threads = case.workload.facets[0].launch.threads
        return (exact if precise else quick)[threads]

    monkeypatch.setattr(adapter, "_seconds", seconds)
    monkeypatch.setattr(adapter, "REFINED", 2)
    prune = adapter.Prune(Jit(), "h200", keep=1)
    assert prune(configs, named, grid=(8,)) == [configs[1]]  # the third is not among the two that are predicted again
    assert [time for _, time in prune.predicted] == [2.5, 2.2, 3.0]


def test_arguments_of_a_launch_of_triton() -> None:
    half = adapter.argument(SimpleNamespace(dtype="torch.float16", numel=lambda: 10))
    assert isinstance(half, Pointer)
    assert (half.element.kind, half.count) == ("f16", 10)
    assert adapter.argument(1 << 40) == Scalar(float(1 << 40), "i64")
    assert adapter.argument(0.5) == Scalar(0.5, "f32")
    for wrong in ("text", SimpleNamespace(dtype="torch.complex64", numel=lambda: 1)):
        with pytest.raises(InputError, match="not known"):
            adapter.argument(wrong)


SOURCE = "class Jit:\n    __name__ = 'copy'\n    arg_names = ('x', 'y', 'n', 'BLOCK')\ncopy = Jit()\n"


def test_a_triton_kernel_on_the_command_line(standin: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE)
    launch = ["--arg", "f32[65536]", "--arg", "f32[65536]", "--arg", "65536"]
    asked = ["predict", f"{path}:copy", "--on", "h200", "--grid", "256", *launch, "--format", "json"]
    found = run(*asked, "--meta", "BLOCK=256", "--meta", "num_warps=8").json()
    same = foretell.predict(LISTING, "h200", grid=256, block=256, args=["f32[65536]", "f32[65536]", 65536])
    assert found["time_s"] == same.time_s
    api = foretell.predict(
        f"{path}:copy", "h200", grid=256, args=["f32[65536]", "f32[65536]", 65536], meta={"BLOCK": 256, "num_warps": 8}
    )
    assert api.time_s == same.time_s
    assert "no such parameter" in run(*asked, "--meta", "BLOK=256").err
    assert "for 4 parameters" in run(*asked).err
    assert "power of 2" in run(*asked, "--meta", "BLOCK=7").err
    assert "no Triton kernel 'copi'" in run("predict", f"{path}:copi", "--on", "h200", "--grid", "1").err
    assert "FILE.py:KERNEL" in run("predict", path, "--on", "h200").err
    assert "only for Triton" in run("predict", LISTING, "--on", "h200", "--grid", "1", "--meta", "A=1").err
    path.write_text("import no_such_module\n")
    assert "cannot be imported: ModuleNotFoundError" in run(*asked, "--meta", "BLOCK=256").err


def test_tuning_a_triton_kernel(standin: list[Any], tmp_path: Path) -> None:
    """Constants and num_warps are axes; what Triton cannot compile is marked, and the search goes on."""
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE)
    launch = ["--grid", "ceil(65536/BLOCK)", "--arg", "f32[65536]", "--arg", "f32[65536]", "--arg", "65536"]
    asked = ["tune", f"{path}:copy", "--on", "h200", *launch, "--workers", "1", "--no-progress", "--format", "json"]
    axes = ["--axis", "BLOCK=7,32,256", "--axis", "num_warps=1,8", "--constraint", "BLOCK < 100 or num_warps > 1"]
    found = run(*asked, *axes, "--meta", "num_stages=2").json()
    assert found["best"]["parameters"] == {"BLOCK": 256, "num_warps": 8, "num_stages": 2}
    same = foretell.predict(LISTING, "h200", grid=256, block=256, args=["f32[65536]", "f32[65536]", 65536])
    assert found["best"]["predicted_s"] == same.time_s
    failed = [item for item in found["variants"] if item.get("invalidity") == "compile"]
    assert [item["parameters"]["BLOCK"] for item in failed] == [7, 7]
    assert all("power of 2" in item["reason"] for item in failed)
    assert {options["num_stages"] for _, _, options in standin} == {2}
    assert "FILE.py:KERNEL and --grid" in run("tune", path, "--on", "h200", "--axis", "BLOCK=32").err


def test_values_and_types_of_triton(standin: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    given = [("A", "True"), ("B", "1.5"), ("C", "ieee"), ("D", "3")]
    assert frontend.parse_meta(given) == {"A": True, "B": 1.5, "C": "ieee", "D": 3}
    tuned = SimpleNamespace(configs=[], fn=Jit(), arg_names=())
    assert isinstance(frontend._plain(tuned), Jit)
    one = frontend.workload_of(tuned, [parse_argument(text) for text in ("f16[8]", "i64[8]", "1")], {"BLOCK": 8}, "1")
    assert standin[-1][0].signature == {"x": "*fp16", "y": "*i64", "n": "constexpr", "BLOCK": "constexpr"}
    assert one.name == "copy_f32"
    wrong = [parse_argument(text) for text in ("{f32[8], 4}", "f32[8]", "f32:2")]
    with pytest.raises(InputError, match="argument x: Triton has no such type"):
        frontend.workload_of(Jit(), wrong, {"BLOCK": 8}, "1")
    monkeypatch.setitem(sys.modules, "triton", None)
    with pytest.raises(MissingExtraError, match="triton"):
        frontend.load(LISTING, "copy")


ADDED = """import triton
import triton.language as tl

@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)
"""


def test_tuning_a_real_triton_kernel_disassembles_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("triton")
    path = tmp_path / "added.py"
    path.write_text(ADDED)
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    runs: list[list[str]] = []
    disassembler = nvdisasm._run
    monkeypatch.setattr(nvdisasm, "_run", lambda *given: (runs.append(given[2]), disassembler(*given))[1])
    launch = ["--grid", "ceil(65536/BLOCK)", *["--arg", "f32[65536]"] * 3, "--arg", "65536"]
    asked = ["tune", f"{path}:add", "--on", "h200", *launch, "--workers", "1", "--no-progress", "--format", "json"]
    found = run(*asked, "--axis", "BLOCK=128,256,512").json()
    assert len(found["variants"]) == 3
    assert runs == [["-b", "SM90"]]


def test_a_real_triton_kernel(tmp_path: Path) -> None:
    pytest.importorskip("triton")
    path = tmp_path / "added.py"
    path.write_text(ADDED)
    n = 1 << 24
    arrays = [f"f32[{n}]"] * 3
    case = foretell.predict(f"{path}:add", "h200", grid=n // 1024, args=[*arrays, n], meta={"BLOCK": 1024})
    bandwidth = 3 * 4 * n / case.time_s
    assert 2e12 < bandwidth < 4.8e12  # between half and all of the data sheet's
    with pytest.raises(OptionError, match=r"FILE\.py:KERNEL"):
        foretell.predict(path, "h200", grid=1)
