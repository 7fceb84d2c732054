#include "cachesim/cachesim.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "cachesim/hierarchy.hpp"
#include "cachesim/lru_batched.hpp"

namespace foretell::cachesim {

Simulator::Simulator(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed, bool vectors)
    : geometry_(levels), references_(references), seed_(seed) {
    if (levels.empty() || references == 0) throw std::invalid_argument("expected at least one level and one reference");
    if (LruBatched::fits(levels, references)) {
        lru_batched_ = std::make_unique<LruBatched>(levels, references, vectors);
        engine_ = lru_batched_.get();
    } else {
        any_ = std::make_unique<Hierarchy>(levels, references, seed);
        engine_ = any_.get();
    }
}

Simulator::~Simulator() = default;

// Switches to the general engine, which continues from the current state, at the first access that the LRU engine
// cannot simulate.
void Simulator::prepare(bool streams, std::uint64_t highest) {
    if (!lru_batched_ || (!streams && lru_batched_->reaches(highest))) return;
    auto other = std::make_unique<Hierarchy>(geometry_, references_, seed_);
    lru_batched_->hand_over(*other);
    any_ = std::move(other);
    engine_ = any_.get();
    lru_batched_.reset();
}

namespace {

constexpr std::uint64_t highest_address = std::uint64_t{1} << 62;  // line numbers share their word with marks

}  // namespace

void Simulator::run(const List& list) {
    const std::uint64_t* const end = list.addresses + list.count;
    const std::uint64_t bits = std::accumulate(list.addresses, end, std::uint64_t{0}, std::bit_or<>{});
    if (bits >= highest_address) throw std::out_of_range("an address has more bits than the simulator keeps");
    const auto stream = static_cast<std::uint8_t>(Kind::stream);
    prepare(list.kind && std::find(list.kind, list.kind + list.count, stream) != list.kind + list.count,
            bits + list.bytes);  // upper bound of all addresses
    engine_->run(list);
}

}  // namespace foretell::cachesim
