"""Names of processors: by model number, unless the instructions that are here contradict it."""

import pytest

from foretell.core.llvm.cpus import features_here, host_name


@pytest.mark.parametrize(
    ("name", "features", "expected"),
    [
        ("rocketlake", {"avx512f", "amx-tile", "amx-fp16"}, "graniterapids"),
        ("rocketlake", {"avx512f", "amx-tile"}, "sapphirerapids"),
        ("cascadelake", {"avx512f", "amx-tile"}, "sapphirerapids"),
        ("emeraldrapids", {"amx-tile"}, "emeraldrapids"),
        ("graniterapids-d", {"amx-tile", "amx-fp16"}, "graniterapids-d"),
        ("sapphirerapids", {"amx-tile", "amx-fp16"}, "graniterapids"),
        ("rocketlake", {"avx512f"}, "rocketlake"),
        ("znver4", {"avx512f"}, "znver4"),
        ("neoverse-n1", set(), "neoverse-n1"),
    ],
)
def test_a_virtual_machine_may_show_another_model_number(name: str, features: set[str], expected: str) -> None:
    assert host_name(name, features) == expected


def test_features_that_are_not_here_do_not_count() -> None:
    assert features_here({"amx-tile": True, "amx-fp16": False}) == {"amx-tile"}
