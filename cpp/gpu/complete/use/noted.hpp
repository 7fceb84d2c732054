// What of a launch's accesses is counted beside executing them.
#pragma once

#include "gpu/complete/dense.hpp"
#include "gpu/complete/use/link_use.hpp"
#include "gpu/complete/use/page_faults.hpp"

namespace foretell::complete {

inline void note_use(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes, bool is_update) {
    if (w.link != nullptr) w.link->note(w, d, address, m, writes, is_update);
    if (w.faults != nullptr) w.faults->note(w, d, address, m);
}

}  // namespace foretell::complete
