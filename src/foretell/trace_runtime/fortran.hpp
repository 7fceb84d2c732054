// Whole-array assignments executed by Fortran's own runtime. Part of runtime.cpp.
#pragma once

#include <cstdint>

namespace foretell::trace {
namespace {

// Array descriptor of ISO_Fortran_binding.h (CFI_cdesc_t), with the field that flang adds.
struct Descriptor {
    std::uint64_t base, element;
    std::int32_t version;
    std::uint8_t rank, type, attribute, extra;
    struct {
        std::int64_t lower, extent, stride;
    } dimension[15];

    std::int64_t count() const {
        std::int64_t product = 1;
        for (int at = 0; at < rank; ++at) product *= dimension[at].extent;
        return product;
    }
    bool contiguous() const {
        auto stride = static_cast<std::int64_t>(element);
        for (int at = 0; at < rank; ++at) {
            if (dimension[at].stride != stride) return false;
            stride *= dimension[at].extent;
        }
        return true;
    }
    std::uint64_t address(std::int64_t number) const {
        std::int64_t offset = 0;
        for (int at = 0; at < rank; ++at) {
            offset += number % dimension[at].extent * dimension[at].stride;
            number /= dimension[at].extent;
        }
        return base + static_cast<std::uint64_t>(offset);
    }
};

// Calls copy(target, source, size of a target, size of a source) for each element, or once for whole arrays; a scalar
// source is copied to every element.
template <class Copy>
void each_element(const Descriptor& to, const Descriptor& from, Copy copy) {
    if (to.base == 0 || from.base == 0 || to.rank > 15 || from.rank > 15) return;
    const std::int64_t count = to.count();
    const bool scalar = from.rank == 0;
    if (!scalar && from.count() != count) return;
    if (!scalar && to.element == from.element && to.contiguous() && from.contiguous()) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(count) * to.element;
        copy(to.base, from.base, bytes, bytes);
        return;
    }
    for (std::int64_t at = 0; at < count; ++at)
        copy(to.address(at), scalar ? from.base : from.address(at), to.element, from.element);
}

}  // namespace
}  // namespace foretell::trace
