"""Every SAAKE number of the specification: printed by the paper, or following from its algorithm."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from foretell.cli import main
from foretell.frontends import read
from foretell.models.gpu import occupancy
from foretell.models.saake import closed_form
from foretell.models.saake.model import EmulateModel
from tests.support.models import saake

_CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "saake.json").read_text())["cases"]}
_CLOSED_FORM = [name for name in _CASES if name.startswith("saake_closed_form")]


def _case(name: str) -> tuple[dict[str, Any], Any]:
    return _CASES[name]["inputs"], _CASES[name]["expected"]


def _fig5() -> Any:
    inputs = _CASES["saake_fig5_trace"]["inputs"]
    return saake.program(inputs["resources"], inputs["program"], inputs["warps"])


def test_fig5_cycle_by_cycle() -> None:
    _, expected = _case("saake_fig5_trace")
    emulation = saake.emulate(_fig5())
    found = [
        {
            "inst": f"S{event.warp + 1}{event.label[1:]}",
            "issue": event.issue,
            "start": event.start,
            "finish": event.finish,
            "pipe_admit_after": event.pipe_admit,
        }
        for event in emulation.trace
    ]
    assert found == expected["schedule"]
    assert emulation.cycles == expected["T"]


def test_the_printed_clock_falls() -> None:
    """SK-1: as printed, S21 issues at 0 and not at 2; the total is the same here."""
    emulation = saake.emulate(_fig5(), mode="paper")
    issues = [event.issue for event in emulation.trace]
    assert issues[:3] == [0, 1, 0]
    assert emulation.cycles == 1200


def test_fig5_sensitivity() -> None:
    _, expected = _case("saake_fig5_sensitivity")
    model, machine = EmulateModel(), saake.gpu()
    found = {item.parameter: item for item in model.sensitivities(saake.workload(_fig5()), machine, model.settings())}
    for name, cycles in expected["T"].items():
        assert found[name].time_up_s == pytest.approx(cycles, abs=1e-9)
        assert found[name].elasticity == pytest.approx(expected[name], abs=1e-9)


def test_fig5_utilization() -> None:
    _, expected = _case("saake_fig5_utilization")
    emulation = saake.emulate(_fig5())
    assert emulation.printed_busy == expected["printed_formula_start0"]
    assert emulation.printed_busy_unbounded == expected["printed_formula_start_minus_inf"]
    assert emulation.busy == expected["busy_union"]
    assert _throughput(_fig5()) == pytest.approx(expected["throughput_utilization"])


def _throughput(facet: Any) -> dict[str, float]:
    model = EmulateModel()
    details = model.predict(saake.workload(facet), saake.gpu(), model.settings()).details["resources"]
    assert isinstance(details, dict)
    return {name: entry["throughput_utilization"] for name, entry in details.items()}  # type: ignore[index,call-overload,misc]


def test_utilization_saturated() -> None:
    inputs, expected = _case("saake_utilization_saturated")
    facet = saake.program(inputs["resources"], inputs["program"], inputs["warps"])
    emulation = saake.emulate(facet)
    assert emulation.cycles == expected["T"]
    assert emulation.printed_busy_unbounded["GM"] == expected["printed_formula_start_minus_inf"]
    assert emulation.busy["GM"] == expected["busy_union"]
    assert _throughput(facet)["GM"] == pytest.approx(expected["throughput_utilization"])


def test_utilization_chain() -> None:
    inputs, expected = _case("saake_utilization_chain")
    facet = saake.chains(**inputs["resources"]["R"], count=inputs["warps"], length=inputs["chain_length"])
    emulation = saake.emulate(facet)
    assert emulation.cycles == expected["T"]
    assert emulation.busy["R"] == expected["busy_union"]
    assert _throughput(facet)["R"] == pytest.approx(expected["throughput_utilization"])


def test_return_value() -> None:
    inputs, expected = _case("saake_return_value")
    facet = saake.program(inputs["resources"], inputs["program"], inputs["warps"])
    assert saake.emulate(facet, mode="paper").cycles == expected["T_printed_last_instruction"]
    assert saake.emulate(facet).cycles == expected["T_all_instructions"]


@pytest.mark.parametrize("name", _CLOSED_FORM)
def test_closed_form(name: str) -> None:
    inputs, expected = _case(name)
    latency, gap, chains, phases = (inputs[key] for key in "LGCP")
    assert closed_form.limit(latency, gap, chains) == expected["regime"]
    assert closed_form.cycles(latency, gap, chains, phases) == expected["T"]
    elasticity = closed_form.elasticity(latency, gap, chains, phases)
    assert elasticity.latency == pytest.approx(expected["sens_L"], rel=1e-9)
    assert elasticity.gap == pytest.approx(expected["sens_G"], rel=1e-9)
    assert saake.emulate(saake.chains(latency, gap, chains, phases)).cycles == expected["T"]


def test_uncoalesced() -> None:
    inputs, expected = _case("saake_uncoalesced")
    pipe = {"GM": {"latency": inputs["latency"], "gap": inputs["gap"]}}
    facet = saake.program(pipe, [{"id": 1, "res": "GM", "deps": [], "transactions": inputs["transactions"]}])
    (event,) = saake.emulate(facet).trace
    assert event.finish == expected["finish"]
    assert event.pipe_admit == expected["pipe_admit_after"]


def test_phases() -> None:
    inputs, expected = _case("saake_phases")
    for blocks, fraction, whole in zip(inputs["blocks"], expected["fractional"], expected["ceil"], strict=True):
        assert occupancy.phases(blocks, inputs["M"], inputs["sms"]) == pytest.approx(fraction, rel=1e-9)
        waves = occupancy.waves(blocks, inputs["M"], inputs["sms"])
        assert waves.full + (waves.rest > 0) == whole


@pytest.mark.parametrize(("mode", "to_memory"), [("default", 300), ("paper", 700)])
def test_l2_assignment(mode: str, to_memory: int) -> None:
    """Of 1000 loads at miss rate 0.3; as printed the rate is that of going to the cache (SK-8)."""
    inputs, expected = _case("saake_L2_assignment")
    assert expected["p_global_memory"] * 1000 == pytest.approx(300)
    text = f"""resource GM latency=500 gap=1
        resource L2 latency=200 gap=1
        resident 1
        loop 1000
          S1: GM cached=L2 miss={inputs["l2_miss_rate"]}
        end"""
    from foretell.frontends.gpu.abstract_program import parse_program

    facet = parse_program(text, "loads").facets[0]
    requests = saake.emulate(facet, mode=mode).requests  # type: ignore[arg-type]
    assert requests == {"GM": to_memory, "L2": 1000 - to_memory}


def test_published_sensitivities_are_elasticities() -> None:
    inputs, expected = _case("saake_elasticity_sums")
    for machine in ("kepler", "pascal"):
        for version, total in expected[machine].items():
            assert sum(inputs[f"{machine}_total_columns"][version]) == total < 100


def test_speedups_of_the_case_study() -> None:
    inputs, expected = _case("saake_table6")
    for version, ratios in expected.items():
        found = [new / old for new, old in zip(inputs[version], inputs["orig"], strict=True)]
        assert found == pytest.approx(ratios, abs=0.005)


def test_fig5_from_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = tmp_path / "toy.toml"
    machine.write_text(
        'name = "toy"\ntitle = "toy"\nkind = "gpu"\nsource = "s"\n'
        '[sources.s]\nkind = "assumed"\nreference = "a test"\n'
        '[clock]\nfrequency = "1 GHz"\n[cores]\ncount = 13\n[occupancy]\nwarps = 64\nschedulers = 4\n'
    )
    arguments = ["predict", "example:fig5", "--on", str(machine), "--option", "trace=yes", "--format", "json"]
    monkeypatch.setattr("sys.argv", ["foretell", *arguments])
    with contextlib.suppress(SystemExit):
        main()
    answer = json.loads(capsys.readouterr().out)
    answer = answer["predictions"][0] if "predictions" in answer else answer
    trace = answer["details"]["trace"]
    _, expected = _case("saake_fig5_trace")
    assert [event["finish_cycle"] for event in trace] == [event["finish"] for event in expected["schedule"]]
    assert answer["time_s"] == pytest.approx(1.2e-6)


def test_the_example_is_the_figure() -> None:
    assert [node.label for node in read("example:fig5").facets[0].body] == ["S1", "S2", "S3", "S4", "S5"]  # type: ignore[attr-defined]


def test_no_case_is_left_out() -> None:
    """By what this file asks for, and not by what has run before: any test may be the first of its process."""
    asked = re.findall(r'_case\("(\w+)"\)', Path(__file__).read_text())
    assert set(_CASES) == {*asked, *_CLOSED_FORM}
