// The barrier of a cluster: all lanes of its blocks arrive, those that have ended are not waited for.
#include "gpu/complete/schedule/warp.hpp"

namespace foretell::complete {

void complete_cluster(Cluster& cluster) {
    bool some = false;
    for (const auto& block : cluster.blocks)
        for (const Warp& warp : block->warps) {
            if ((warp.alive & ~warp.arrived_at_cluster) != 0) return;
            some = some || warp.arrived_at_cluster != 0;
        }
    if (!some) return;
    for (const auto& block : cluster.blocks)
        for (Warp& warp : block->warps) {
            warp.arrived_at_cluster = 0;
            release_groups(warp, cluster_barrier);
        }
}

bool arrive_at_cluster(Worker& w, int index, Mask m) {
    Warp& warp = *w.warp;
    ++warp.groups[index].pc;
    if (m == 0) return true;
    warp.arrived_at_cluster |= m;
    complete_cluster(*w.block->cluster);
    return false;
}

bool wait_for_cluster(Worker& w, int index, Mask m) {
    Warp& warp = *w.warp;
    Group& group = warp.groups[index];
    if ((warp.arrived_at_cluster & m) == 0) {
        ++group.pc;
        return true;
    }
    group.state = State::at_barrier;
    group.barrier = cluster_barrier;
    return false;
}

}  // namespace foretell::complete
