// Which results steer the execution: control flow, guards and addresses. Private to the functional core.
#pragma once

#include "gpu/functional/decode.hpp"

namespace foretell::functional {

// Marks the instructions whose results are needed, by liveness: a result is needed if a branch, a guard, an address or a
// needed instruction reads it on some path. `contents`: the contents of some arrays are known; `counts`: addresses in
// shared memory do not matter where its data steers nothing; `recorded`: what loops wait for is in memory, or never comes.
SteeringMemory mark_needed(std::vector<Decoded>& text, bool contents, bool counts, bool recorded);

// Accesses to the block's own shared memory.
inline bool is_own_shared(const Decoded& d) { return d.op == Op::load_shared || d.op == Op::store_shared; }

}  // namespace foretell::functional
