"""Stores what tests need without nvcc and without a GPU: python validation/h200/hopper/store.py CUBINS RESULTS.npz …

The cubins are those that were executed: nvcc -std=c++17 -arch=sm_90a -cubin -o NAME.cubin NAME.cu.

Beside this file: NAME.sass.xz (listings of all kernels of NAME.cu), results.json (the SHA-256 of what an H200 left in
each array, the first 64 numbers of filtered textures, and the words of its tensor maps without their address).
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from cases import CASES, Texture

from foretell import files
from foretell.frontends.gpu.sass import listing
from foretell.frontends.gpu.sass.kernels import decode_all

HERE = Path(__file__).parent
FILTERED = {case.name for case in CASES for item in case.arguments if isinstance(item, Texture) and item.filter}


def main() -> None:
    for name in sorted({case.module for case in CASES}):
        text = "".join(map(listing.write, decode_all((Path(sys.argv[1]) / f"{name}.cubin").read_bytes())))
        (HERE / f"{name}.sass.xz").write_bytes(files.pack(text))
    measured: dict[str, np.ndarray] = {}
    for path in sys.argv[2:]:
        with np.load(path) as own:
            measured.update(own)
    results: dict[str, dict[str, str]] = {}
    for key, array in sorted(measured.items()):
        name, _, part = key.rpartition(".")
        if part == "map":
            results.setdefault(name, {})[part] = array.tobytes()[8:].rstrip(b"\0").hex()
        elif part != "address":
            results.setdefault(name, {})[part] = hashlib.sha256(array.tobytes()).hexdigest()
            if name in FILTERED:
                results[name]["begin"] = array[:64].tobytes().hex()
    (HERE / "results.json.xz").write_bytes(files.pack(json.dumps(results, indent=1) + "\n"))


if __name__ == "__main__":
    main()
