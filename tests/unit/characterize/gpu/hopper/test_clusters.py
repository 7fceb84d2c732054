"""Clusters in complete execution: shared memory of other blocks, barriers and multicast, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from foretell.errors import InputError
from tests.support import hopper


def test_blocks_know_their_cluster() -> None:
    (out,), record = hopper.execute("cluster_names")
    assert record.error is None
    for y, x in np.ndindex(6, 8):
        names = out.reshape(6, 8, 14)[y, x].tolist()
        assert names[:12] == [x // 4, y // 2, 2, 3, x % 4, y % 2, 0, 4, 2, 1, x % 4 + 4 * (y % 2), 8]
        assert names[13] == 1


def test_blocks_read_add_and_write_in_others() -> None:
    (given, out), record = hopper.execute("cluster_exchange")
    assert record.error is None
    own = given.reshape(2, 4, 128)
    total = np.zeros((2, 4, 128), np.uint32)  # the same in all blocks of a cluster
    for rank in range(4):
        total = total * np.uint32(3) + np.roll(own[:, rank], -rank, axis=1)[:, None]
    block = np.arange(8, dtype=np.uint32).reshape(2, 4, 1)
    given_on = np.roll(total ^ block, 1, axis=1)[:, :, ::-1]
    old = np.roll(own, -1, axis=1)
    assert (out.reshape(2, 4, 128) == given_on + np.uint32(4 * 128 * 129 // 2) + old).all()


def test_generic_pointers_lead_to_other_blocks() -> None:
    (given, out), record = hopper.execute("cluster_generic")
    assert record.error is None
    own = given.reshape(2, 4, 64)[:, ::-1, ::-1]
    assert (out.reshape(2, 4, 64) == own * np.uint32(8) + np.arange(3, -1, -1, dtype=np.uint32)[None, :, None]).all()


def test_a_copy_goes_to_all_blocks() -> None:
    (given, out), record = hopper.execute("cluster_multicast")
    assert record.error is None
    wanted = given.reshape(2, 1, 1024) + np.arange(1024, dtype=np.uint32)
    assert (out.reshape(2, 4, 1024) == wanted).all()


def test_a_tile_goes_to_the_blocks_of_a_mask() -> None:
    (given, out), record = hopper.execute("cluster_tiles")
    assert record.error is None
    data = given.view(np.uint32).reshape(20, 64)
    for cluster, rank in np.ndindex(2, 4):
        tile = out.reshape(2, 4, 8, 32)[cluster, rank]
        if 13 >> rank & 1:
            assert (tile == data[cluster : cluster + 8, 4:36]).all()
        else:
            assert (tile == 0xEEEEEEEE).all()


def test_blocks_push_into_the_next_one() -> None:
    (given, out), record = hopper.execute("cluster_pushes")
    assert record.error is None
    own = given.reshape(2, 4, 256)
    words = np.arange(8, dtype=np.uint32).reshape(2, 4, 1) * 1000 + np.arange(256, dtype=np.uint32) % 64
    assert (out.reshape(2, 4, 256) == np.roll(own + words, 1, axis=1)).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_results_do_not_depend_on_threads(threads: int) -> None:
    (_, out), record = hopper.execute("cluster_pushes", threads=threads)
    assert record.error is None
    assert out.tobytes() == hopper.execute("cluster_pushes")[0][1].tobytes()


def test_clusters_that_cannot_be() -> None:
    with pytest.raises(InputError, match="clusters of \\(3, 1, 1\\) blocks"):
        hopper.execute("cluster_names", cluster=(3, 1, 1))
    with pytest.raises(InputError, match="clusters of"):
        hopper.execute("cluster_names", cluster=(8, 3, 1))


def test_a_block_that_is_not_there() -> None:
    """A kernel for four blocks, without a cluster: the barrier is that of the block, the others have no memory."""
    _, record = hopper.execute("cluster_pushes", cluster=(2, 1, 1), check_races=True)
    assert record.error is None
    assert record.races_limited
