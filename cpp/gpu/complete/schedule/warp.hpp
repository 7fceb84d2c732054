// Warps and the barriers of their block. Private to complete execution.
#pragma once

#include <algorithm>
#include <bit>

#include "gpu/complete/dense.hpp"

namespace foretell::complete {

// Runs a warp until all its lanes wait or have ended, or its share is used; returns the instructions executed.
std::uint64_t run_warp(Worker& w, Warp& warp, std::uint64_t share);

// A group arrives at a barrier of its block; true if it goes on.
bool arrive(Worker& w, int group, const Dense& d, Mask m);

// A group waits for the other warps of its warpgroup.
bool join_warpgroup(Worker& w, int group);

// A group arrives at the barrier of the cluster, or waits there until all lanes have arrived; true if it goes on.
bool arrive_at_cluster(Worker& w, int group, Mask m);
bool wait_for_cluster(Worker& w, int group, Mask m);
void complete_cluster(Cluster& cluster);

// Lanes of the current warp ended: barriers that waited for them may be complete.
void lanes_left(Worker& w, Mask left);

// Nothing of a block can run any more.
Fault deadlock_at(const Text& text, const Block& block);

// Where all warps of a block wait or run.
std::vector<std::pair<std::uint32_t, std::string>> positions(const Text& text, const Block& block);

// Groups of a warp that wait at a barrier of the block go on.
void release_groups(Warp& warp, int barrier);

}  // namespace foretell::complete
