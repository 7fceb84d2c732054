"""Stores what tests need without nvcc and without a GPU: python validation/h200/complete/store.py RESULTS.npz

Beside this file: NAME.sass.xz (listings of all kernels of NAME.cu), images.json (their modules' memory), results.json
(what the GPU computed: a hash of each array, and the first numbers of those that are not compared bit for bit).
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING

import numpy as np
from cases import CASES
from compare import HERE, modules

from foretell import files
from foretell.frontends.gpu.sass import listing

if TYPE_CHECKING:
    from foretell.core.gpu.image import Bytes, DeviceImage

_FIRST = 512


def _bytes(item: Bytes) -> dict[str, object]:
    places = [[place.offset, place.target, place.system] for place in item.addresses]
    return {"data": item.data.hex(), "addresses": places}


def _image(image: DeviceImage) -> dict[str, object]:
    return {
        "memory": _bytes(image.memory),
        "common": {str(bank): _bytes(item) for bank, item in image.common.items()},
        "kernels": {
            name: {str(bank): _bytes(item) for bank, item in banks.items()}
            for name, banks in image.kernel_banks.items()
        },
    }


def main() -> None:
    images = {}
    for name, (kernels, image) in modules().items():
        text = "".join(map(listing.write, kernels.values()))
        (HERE / f"{name}.sass.xz").write_bytes(files.pack(text))
        images[name] = _image(image)
    (HERE / "images.json").write_text(json.dumps(images, indent=1) + "\n")
    results: dict[str, dict[str, dict[str, str]]] = {}
    with np.load(sys.argv[1]) as measured:
        for case in CASES:
            own = results.setdefault(case.name, {})
            for number in range(len(case.arrays())):
                if (key := f"{case.name}.{number}") in measured:
                    array = measured[key]
                    own[str(number)] = {"sha256": hashlib.sha256(array.tobytes()).hexdigest()}
                    if case.ulps:
                        own[str(number)]["first"] = array[:_FIRST].tobytes().hex()
    (HERE / "results.json.xz").write_bytes(files.pack(json.dumps(results, indent=1) + "\n"))


if __name__ == "__main__":
    main()
