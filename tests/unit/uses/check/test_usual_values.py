"""Values of a usual call in a first file."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from foretell.uses.check.configured.initial import first_configuration
from foretell.uses.check.configured.usual_values import usual, usual_sizes
from tests.support.host import needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 1000), ("len", 1000), ("width", 1000), ("nbStripes", 1000), ("im.width", 1000), ("kernel_size", 1000),
        ("channels", 4), ("num_channels", 4), ("nChannels", 4), ("log2n", 10), ("bflog", 1000), ("minlog", 1000),
        ("filterLog", 10), ("incx", 1), ("mode", 1), ("flags", 1), ("numThreads", 1), ("radius", 2), ("start", 0),
        ("trips_L225", 16), ("max_iter", 10), ("nsteps", 10), ("bpp", 4),
    ],
)  # fmt: skip
def test_names_tell_what_is_no_size(name: str, value: int) -> None:
    guess = usual(name, 1000)
    assert guess.value == value
    assert bool(guess.reason) == (value != 1000)


def test_sizes_that_are_multiplied_are_a_few_megabytes_together() -> None:
    for count in range(1, 6):
        guesses = usual_sizes([f"n{k}" for k in range(count)], count)
        product = 1
        for guess in guesses.values():
            product *= guess.value
        assert 1000 <= product <= 40_000_000


def test_the_source_tells_choices_and_exponents() -> None:
    text = "void f(int n, int q, int b) { if (q == 3) g(); else if (q == 2) h(); if (q == 3) k(); m = 1 << b; }"
    assert usual("q", 1000, text).value == 3
    assert usual("b", 1000, text).value == 10
    assert usual("n", 1000, "if (n == 0) return; for (int i = 0; i < n; i++) x[i] = 0;").value == 1000
    assert usual("len", 1000, "if (len == 0) return 0; while (p < end) p++;").value == 1000
    assert usual("kind", 1000, "switch (kind) { case 7: a(); break; case 9: b(); }").value == 7
    assert usual("stride", 1000, edge_of_rows=True).value == 1000


def test_a_first_file_says_what_was_guessed(tmp_path: Path) -> None:
    (tmp_path / "image.c").write_text(
        "void gain(int width, int height, int stride, int channels, float *p, float f)\n"
        "{\n    for (int y = 0; y < height; y++)\n        for (int x = 0; x < width * channels; x++)\n"
        "            p[y * stride * channels + x] *= f;\n}\n"
        "void pick(int n, int inc, const float *x, float *y)\n"
        "{\n    for (int i = 0; i < n; i++)\n        y[i] = x[i * inc];\n}\n"
    )
    text = first_configuration(tmp_path, ("zen4",))
    codes = tomllib.loads(text)["code"]
    assert codes["gain"]["sizes"] == {"channels": 4, "height": 1000, "stride": 1000, "width": 1000}
    assert codes["pick"]["sizes"] == {"inc": 1, "n": 1000}
    assert "guessed: inc = 1: a distance of neighbours" in text
    assert "channels = 4: values of a pixel or frame" in text


@needs_x86_gcc
def test_arguments_in_cxx_are_guessed_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "mix.cpp").write_text(
        'extern "C" void mix(int frames, int channels, const float *in, float *out)\n'
        "{\n    for (int i = 0; i < frames; ++i)\n        for (int c = 0; c < channels; ++c)\n"
        "            out[i] += in[i * channels + c];\n}\n"
        "void turn(double *x, int n) { for (int i = 0; i < n; ++i) x[i] = -x[i]; }\n"
    )
    codes = tomllib.loads(first_configuration(tmp_path, ("zen4",)))["code"]
    assert codes["mix"]["args"] == [1000, 4, "f32[4000]", "f32[4000]"]
    assert codes["turn"]["args"] == ["f64[1000]", 1000]
