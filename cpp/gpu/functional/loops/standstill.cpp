#include "gpu/functional/loops/standstill.hpp"

namespace foretell::functional {

std::uint64_t Standstill::digest(const Warp& warp) {
    std::uint64_t result = 0xcbf29ce484222325;
    const auto add = [&](std::uint64_t word) { result = (result ^ word) * 0x9e3779b97f4a7c15 + (result >> 29); };
    for (const Value& value : warp.r) {
        add(value.known);
        for (int lane = 0; lane < lanes; lane += 2) add(std::uint64_t{value.v[lane]} << 32 | value.v[lane + 1]);
    }
    for (const Word& word : warp.ur) add(std::uint64_t{word.known} << 32 | word.value);
    for (const Truth& truth : warp.p) add(std::uint64_t{truth.known} << 32 | truth.v);
    for (const Truth& truth : warp.up) add(std::uint64_t{truth.known} << 32 | truth.v);
    for (const std::uint32_t place : warp.pc) add(place);
    add(std::uint64_t{warp.exited} << 32 | warp.converging);
    return result;
}

}  // namespace foretell::functional
