#include "cache.hpp"

namespace foretell::cachesim {

namespace {

constexpr std::uint64_t none = Cache::absent;

// With more ways than this a search through them costs more than a table.
constexpr std::uint32_t searched_ways = 32;

std::uint64_t next_random(std::uint64_t& state) {  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

}  // namespace

Cache::Cache(const Geometry& geometry, std::uint64_t seed)
    : geometry_(geometry),
      indexed_(geometry.ways > searched_ways && geometry.policy != Policy::plru),
      stride_(std::bit_ceil(indexed_ ? geometry.ways : std::max<std::uint64_t>(geometry.ways, lanes))),
      stride_bits_(std::countr_zero(stride_)),
      random_(seed | 1),
      tags_(geometry.sets << stride_bits_, empty),
      groups_((tags_.size() + lanes - 1) / lanes) {
    if (std::has_single_bit(geometry.line)) shift_ = std::countr_zero(geometry.line);
    if (std::has_single_bit(geometry.sets)) mask_ = static_cast<std::int64_t>(geometry.sets - 1);
    if (geometry.policy == Policy::plru) tree_.assign(geometry.sets, 0);
    if (!indexed_) {
        for (std::uint64_t slot = 0; slot < tags_.size(); ++slot) {
            const std::uint64_t way = slot % stride_;
            const bool real = way < geometry.ways;
            groups_[slot / lanes].prints[slot % lanes] = real ? no_line : no_way;
            groups_[slot / lanes].ranks[slot % lanes] = real ? static_cast<std::uint8_t>(way) : no_rank;
        }
        return;
    }
    older_.assign(tags_.size(), none);
    newer_.assign(tags_.size(), none);
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
    const std::uint8_t old = rank(slot), last = static_cast<std::uint8_t>(geometry_.ways);
    const std::uint64_t first = slot >> stride_bits_ << stride_bits_;
    for (std::uint64_t at = first; at < first + stride_; at += lanes) {
        Bytes& ranks = groups_[at / lanes].ranks;
        ranks += static_cast<Bytes>((ranks > old) & (ranks < last));
    }
    groups_[slot / lanes].ranks[slot % lanes] = last - 1;
}

// The first empty slot of a set.
std::uint64_t Cache::vacancy(std::uint64_t set) const {
    if (indexed_) return vacant_[set].empty() ? absent : vacant_[set].back();
    for (std::uint64_t at = set << stride_bits_; at < (set + 1) << stride_bits_; at += lanes) {
        const Matches found(groups_[at / lanes].prints, no_line);
        if (found.any()) return at + found.first();
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
    if (tags_[slot] != empty) {
        index_.erase(tags_[slot]);
        unlink(slot);
    } else {
        vacant_[slot >> stride_bits_].pop_back();
    }
    index_[line] = slot;
    link_newest(slot);
}

void Cache::remove(std::uint64_t slot) {
    if (indexed_) {
        index_.erase(tags_[slot]);
        unlink(slot);
        vacant_[slot >> stride_bits_].push_back(slot);
    } else {
        groups_[slot / lanes].prints[slot % lanes] = no_line;
        make_oldest(slot);
    }
    tags_[slot] = empty;
    groups_[slot / lanes].dirty[slot % lanes] = 0;
}

std::uint64_t Cache::dirty_lines() const {
    std::uint64_t found = 0;
    for (const Group& group : groups_) found += static_cast<std::uint64_t>(std::count(group.dirty, group.dirty + lanes, 1));
    return found;
}

}  // namespace foretell::cachesim
