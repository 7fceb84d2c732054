#include "cache.hpp"

namespace foretell::cachesim {

namespace {

constexpr std::uint64_t none = Cache::absent;

std::uint64_t next_random(std::uint64_t& state) {  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

}  // namespace

Cache::Cache(const Geometry& geometry, std::uint64_t seed)
    : geometry_(geometry),
      plain_(geometry.policy == Policy::lru && geometry.ways <= Few::fields && std::has_single_bit(geometry.sets)),
      few_(geometry.ways <= Few::fields),
      indexed_(geometry.ways > Many::fields),
      stride_(std::bit_ceil(std::max<std::uint64_t>(geometry.ways, 8))),
      stride_bits_(std::countr_zero(stride_)),
      random_(seed | 1),
      sets_(geometry.sets),
      tag_blocks_((geometry.sets << stride_bits_) / 8),
      tags_(tag_blocks_.front().lines) {
    std::fill_n(tags_, geometry.sets << stride_bits_, empty);
    if (std::has_single_bit(geometry.line)) shift_ = std::countr_zero(geometry.line);
    if (std::has_single_bit(geometry.sets)) mask_ = static_cast<std::int64_t>(geometry.sets - 1);
    if (geometry.policy == Policy::plru) tree_.assign(geometry.sets, 0);
    if (!indexed_) {
        for (std::uint64_t slot = 0; slot < geometry.sets << stride_bits_; ++slot)
            print(slot, slot % stride_ < geometry.ways ? no_line : no_way);
        for (Set& set : sets_) order(set, few_ ? Few::initial() : Many::initial());
        return;
    }
    older_.assign(geometry.sets << stride_bits_, none);
    newer_.assign(geometry.sets << stride_bits_, none);
    oldest_.assign(geometry.sets, none);
    newest_.assign(geometry.sets, none);
    vacant_.resize(geometry.sets);
    for (std::uint64_t set = 0; set < geometry.sets; ++set)
        for (std::uint64_t way = geometry.ways; way-- > 0;) vacant_[set].push_back((set << stride_bits_) + way);
}

std::uint64_t Cache::find_indexed(Line line) const {
    const auto found = index_.find(line);
    return found == index_.end() ? absent : found->second;
}

void Cache::make_oldest(std::uint64_t slot) {
    Set& set = sets_[slot >> stride_bits_];
    const auto way = static_cast<std::uint32_t>(slot & (stride_ - 1));
    order(set, few_ ? Few::to_back(set.order[0], way, geometry_.ways) : Many::to_back(whole(set), way, geometry_.ways));
}

// The first empty slot of a set.
std::uint64_t Cache::vacancy(std::uint64_t set) const {
    if (indexed_) {
        const std::vector<std::uint64_t>& slots = vacant_[set];
        if (slots.empty()) return absent;
        // A tree depends on where lines are; the others do not.
        return geometry_.policy == Policy::plru ? *std::min_element(slots.begin(), slots.end()) : slots.back();
    }
    for (std::uint32_t at = 0; at < geometry_.ways; at += 8) {
        const std::uint64_t found = zero_bytes(sets_[set].prints[at / 8] ^ no_line * every_byte);
        if (found) return (set << stride_bits_) + at + std::countr_zero(found) / 8;
    }
    return absent;
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

void Cache::touch_other(std::uint64_t slot) {
    if (geometry_.policy == Policy::lru) {
        unlink(slot);
        link_newest(slot);
    } else if (geometry_.policy == Policy::plru) {
        // Every node on the way to the slot now points to the other half.
        std::uint64_t& bits = tree_[slot >> stride_bits_];
        const std::uint32_t way = slot % stride_;
        std::uint32_t node = 1;
        for (std::uint32_t half = geometry_.ways / 2; half > 0; half /= 2) {
            const bool right = way & half;
            bits = right ? bits & ~(std::uint64_t{1} << node) : bits | (std::uint64_t{1} << node);
            node = 2 * node + right;
        }
    }
}

// Of a level of many ways, or one that takes any line or the one that a tree points to.
std::uint64_t Cache::other_victim(Line line) {
    const std::uint64_t set = set_of(line), empty_slot = vacancy(set);
    if (empty_slot != absent) return empty_slot;
    if (geometry_.policy == Policy::random) return (set << stride_bits_) + next_random(random_) % geometry_.ways;
    if (geometry_.policy == Policy::plru) {
        std::uint32_t node = 1;
        while (node < geometry_.ways) node = 2 * node + (tree_[set] >> node & 1);
        return (set << stride_bits_) + node - geometry_.ways;
    }
    std::uint64_t slot = oldest_[set];
    if (pins_.empty()) return slot;
    for (; pins_[slot] > 0; slot = oldest_[set]) touch(slot);
    return slot;
}

void Cache::put_indexed(std::uint64_t slot, Line line) {
    if (tag(slot) != empty) {
        index_.erase(tag(slot));
        unlink(slot);
    } else {
        std::erase(vacant_[slot >> stride_bits_], slot);
    }
    index_[line] = slot;
    link_newest(slot);
}

void Cache::remove(std::uint64_t slot) {
    if (indexed_) {
        index_.erase(tag(slot));
        unlink(slot);
        vacant_[slot >> stride_bits_].push_back(slot);
    } else {
        print(slot, no_line);
        make_oldest(slot);
    }
    tags_[slot] = empty;
}

std::uint64_t Cache::dirty_lines() const {
    std::uint64_t found = 0;
    for (std::uint64_t slot = 0; slot < geometry_.sets << stride_bits_; ++slot) found += dirty(slot);
    return found;
}

}  // namespace foretell::cachesim
