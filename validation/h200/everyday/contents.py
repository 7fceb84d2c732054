"""Writes the arrays that the launches of gpu-everyday/cases.toml read:  python contents.py FOLDER

Tokens, targets of edges and pixels whose frequencies fall with their rank, as in texts, graphs and pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(20261119)
    tokens = rng.permutation(32000)[np.minimum(rng.zipf(1.2, 16384) - 1, 31999)]
    np.save(folder / "every_tokens.npy", tokens.astype(np.int32))
    targets = rng.permutation(1 << 20)[np.minimum(rng.zipf(1.6, 1 << 22) - 1, (1 << 20) - 1)]
    np.save(folder / "every_targets.npy", targets.astype(np.int32))
    pixels = np.clip(rng.normal(90, 30, (1 << 21, 4)), 0, 255).astype(np.uint8)
    np.save(folder / "every_pixels.npy", pixels)
    bodies = np.full((1 << 20, 4), 1.0)
    bodies[:, :3] = 0.5 + np.clip(rng.normal(0.5, 0.12, (1 << 20, 3)), 0, 0.999)
    np.save(folder / "every_bodies.npy", bodies.astype(np.float32))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
