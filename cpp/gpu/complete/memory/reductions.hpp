// Updates of memory by copies: cp.reduce.async.bulk. Private to complete execution.
#pragma once

#include <cstdint>

#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {

// Types of elements; those of tensor maps have the numbers of CUtensorMapDataType.
enum class Element : std::uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };

std::uint32_t bytes_of(Element type);
bool is_real(Element type);

// Updates `bytes` bytes of elements at `to` with those at `from`.
void reduce_elements(Element type, semantics::Atomic how, std::uint8_t* to, const std::uint8_t* from,
                     std::uint64_t bytes);

}  // namespace foretell::complete
