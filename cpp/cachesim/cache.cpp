#include "cachesim/cache.hpp"

namespace foretell::cachesim {

namespace {

constexpr std::uint64_t none = Cache::absent;

std::uint64_t next_random(std::uint64_t& state) {  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

}  // namespace

Places::Places(const Geometry& geometry) : line(geometry.line), sets(geometry.sets) {
    if (std::has_single_bit(line)) line_bits = std::countr_zero(line);
    if (std::has_single_bit(sets)) set_bits = std::countr_zero(sets);
}

Cache::Cache(const Geometry& geometry, std::uint64_t seed)
    : geometry_(geometry),
      places_(geometry),
      indexed_(geometry.ways > most_searched),
      ordered_(!indexed_ && (geometry.policy == Policy::lru || geometry.policy == Policy::fifo)),
      stride_(std::bit_ceil(geometry.ways)),
      stride_bits_(std::countr_zero(stride_)),
      random_(seed | 1),
      tags_(geometry.sets << stride_bits_, empty) {
    if (geometry.policy == Policy::plru) tree_.assign(geometry.sets, 0);
    if (!indexed_) return;
    older_.assign(geometry.sets << stride_bits_, none);
    newer_.assign(geometry.sets << stride_bits_, none);
    oldest_.assign(geometry.sets, none);
    newest_.assign(geometry.sets, none);
    vacant_.resize(geometry.sets);
    for (std::uint64_t set = 0; set < geometry.sets; ++set)
        for (std::uint64_t way = geometry.ways; way-- > 0;) vacant_[set].push_back((set << stride_bits_) + way);
}

std::uint64_t Cache::find(Line line) const {
    if (indexed_) {
        const auto found = index_.find(line);
        return found == index_.end() ? absent : found->second;
    }
    const Line* const first = set_at(places_.set_of(line));
    const Line* const end = first + geometry_.ways;
    const Line* const found = std::find_if(first, end, [line](Line tag) { return clean(tag) == line; });
    return found == end ? absent : static_cast<std::uint64_t>(found - tags_.data());
}

void Cache::hit(std::uint64_t slot, Line marks) {
    tags_[slot] |= marks;
    if (geometry_.policy == Policy::plru) point_away(slot);
    if (geometry_.policy != Policy::lru) return;
    if (ordered_) {
        std::rotate(set_at(slot >> stride_bits_), &tags_[slot], &tags_[slot] + 1);
    } else {
        unlink(slot);
        link_newest(slot);
    }
}

Line Cache::exchange(Line line, Line marks) {
    const std::uint64_t set = places_.set_of(line);
    if (ordered_) {  // empty slots are last
        Line *const first = set_at(set), *const last = first + geometry_.ways - 1;
        const Line leaving = *last;
        std::copy_backward(first, last, last + 1);
        *first = line | marks;
        return leaving;
    }
    const std::uint64_t slot = victim(set);
    const Line leaving = tags_[slot];
    if (indexed_) put_indexed(slot, line);
    if (geometry_.policy == Policy::plru) point_away(slot);
    tags_[slot] = line | marks;
    return leaving;
}

// First empty slot of a set.
std::uint64_t Cache::vacancy(std::uint64_t set) const {
    if (indexed_) {
        const std::vector<std::uint64_t>& slots = vacant_[set];
        if (slots.empty()) return absent;
        // PLRU depends on the way; the other policies do not.
        return geometry_.policy == Policy::plru ? *std::min_element(slots.begin(), slots.end()) : slots.back();
    }
    const Line* const first = set_at(set);
    const Line* const found = std::find(first, first + geometry_.ways, empty);
    return found == first + geometry_.ways ? absent : static_cast<std::uint64_t>(found - tags_.data());
}

void Cache::unlink(std::uint64_t slot) {
    const std::uint64_t set = slot >> stride_bits_, before = older_[slot], after = newer_[slot];
    (before == none ? oldest_[set] : newer_[before]) = after;
    (after == none ? newest_[set] : older_[after]) = before;
}

void Cache::link_newest(std::uint64_t slot) {
    const std::uint64_t set = slot >> stride_bits_;
    older_[slot] = newest_[set];
    newer_[slot] = none;
    (newest_[set] == none ? oldest_[set] : newer_[newest_[set]]) = slot;
    newest_[set] = slot;
}

// Points every node of the PLRU tree on the path to the slot at the other half.
void Cache::point_away(std::uint64_t slot) {
    std::uint64_t& bits = tree_[slot >> stride_bits_];
    const std::uint32_t way = slot % stride_;
    std::uint32_t node = 1;
    for (std::uint32_t half = geometry_.ways / 2; half > 0; half /= 2) {
        const bool right = way & half;
        bits = right ? bits & ~(std::uint64_t{1} << node) : bits | (std::uint64_t{1} << node);
        node = 2 * node + right;
    }
}

// Slot for a new line in an unordered set: an empty one, or the victim of the policy.
std::uint64_t Cache::victim(std::uint64_t set) {
    const std::uint64_t empty_slot = vacancy(set);
    if (empty_slot != absent) return empty_slot;
    if (geometry_.policy == Policy::random) return (set << stride_bits_) + next_random(random_) % geometry_.ways;
    if (geometry_.policy == Policy::plru) {
        std::uint32_t node = 1;
        while (node < geometry_.ways) node = 2 * node + (tree_[set] >> node & 1);
        return (set << stride_bits_) + node - geometry_.ways;
    }
    return oldest_[set];
}

void Cache::put_indexed(std::uint64_t slot, Line line) {
    if (tags_[slot] != empty) {
        index_.erase(clean(tags_[slot]));
        unlink(slot);
    } else {
        std::vector<std::uint64_t>& slots = vacant_[slot >> stride_bits_];
        slots.erase(std::find(slots.rbegin(), slots.rend(), slot).base() - 1);  // nearly always the last of many
    }
    index_[line] = slot;
    link_newest(slot);
}

void Cache::remove(std::uint64_t slot) {
    Line* at = &tags_[slot];
    if (indexed_) {
        index_.erase(clean(*at));
        unlink(slot);
        vacant_[slot >> stride_bits_].push_back(slot);
    } else if (ordered_) {  // empty slots are behind the others
        Line* const end = set_at(slot >> stride_bits_) + geometry_.ways;
        at = std::copy(at + 1, end, at);
    }
    *at = empty;
}

std::uint64_t Cache::dirty_lines() const {
    std::uint64_t found = 0;
    for (std::uint64_t slot = 0; slot < geometry_.sets << stride_bits_; ++slot) found += dirty(slot);
    return found;
}

}  // namespace foretell::cachesim
