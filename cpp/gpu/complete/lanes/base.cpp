// Handlers for the vectors that every processor of the architecture has.
#define FORETELL_WIDTH base
#include "gpu/complete/lanes/handlers.inc"

namespace foretell::complete {
namespace avx2 {
extern const Table table;
}

const Table& lane_handlers() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::table;
#endif
    return base::table;
}

}  // namespace foretell::complete
