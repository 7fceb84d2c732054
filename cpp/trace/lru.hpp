// Exact LRU stack distances, in a stream and in memory that grows with the lines touched only.
//
// A line that was used among the last 64 references sits in a window: one bit for each of them, set where a line was
// used last; a distance inside the window is a count of bits. A line that leaves the window gets the next position of
// a long bit map, in order of last use; a distance there is a count of bits behind the line's own, summed over a tree
// of counters (16 children a node), only as far up as the line and the newest position are apart. Positions of lines
// used again stay empty; when positions run out, the live ones are moved together.
//
// No exception, no allocation but whole pages, no C++ library: this is linked into other people's programs, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pages.hpp"

namespace foretell::trace {

// Distances, exact up to kExact, then in 256 ranges for each doubling.
class DistanceHistogram {
 public:
  static constexpr std::uint32_t kExact = 1u << 16;
  static constexpr std::uint32_t kPerOctave = 256;
  static constexpr std::uint32_t kSize = kExact + 16 * kPerOctave;

  DistanceHistogram() : counts_(pages<std::uint64_t>(kSize)) {}
  void add(std::uint32_t distance) { ++counts_[index(distance)]; }
  void add(std::uint32_t distance, std::uint64_t count) { counts_[index(distance)] += count; }
  std::uint64_t operator[](std::uint32_t at) const { return counts_[at]; }

  static std::uint32_t index(std::uint32_t distance) {
    if (distance < kExact) [[likely]] return distance;
    const int octave = 31 - __builtin_clz(distance);  // 16 and above
    return kExact + (static_cast<std::uint32_t>(octave) - 16) * kPerOctave + ((distance >> (octave - 8)) - kPerOctave);
  }
  // The smallest distance that an entry holds; the largest is the next entry's less one.
  static std::uint64_t first(std::uint32_t at) {
    if (at < kExact) return at;
    const std::uint32_t beyond = at - kExact;
    return static_cast<std::uint64_t>(kPerOctave + beyond % kPerOctave) << (beyond / kPerOctave + 8);
  }

 private:
  std::uint64_t* counts_;
};

// A reference's highest bit: it goes on where the one before ended, so it counts only on a line of its own.
constexpr std::uint64_t kContinued = 1ull << 63;

class Lru {
 public:
  explicit Lru(unsigned line_shift) : shift_(line_shift) {}

  unsigned shift() const { return shift_; }
  std::uint64_t cold() const { return cold_; }
  const DistanceHistogram& histogram() const { return histogram_; }

  // References in their order. In each stretch, lines are looked up first and visited then, so that what is known of
  // them is on its way from memory; a reference to the same line as the one before needs no visit.
  void touch(const std::uint64_t* reference, const std::uint64_t* last) {
    std::uint32_t ids[kStretch];
    while (reference != last) {
      const std::uint64_t* end = last - reference > kStretch ? reference + kStretch : last;
      std::size_t count = 0;
      for (; reference != end; ++reference) {
        const std::uint64_t line = (*reference & ~kContinued) >> shift_;
        if (line == newest_) {
          repeats_ += (*reference & kContinued) == 0;
          continue;
        }
        newest_ = line;
        ids[count] = identity(line);
        __builtin_prefetch(&places_[ids[count]]);
        ++count;
      }
      for (std::size_t at = 0; at < count; ++at) visit(ids[at]);
    }
  }

  // References to the newest line are counted apart: call before the histogram is read.
  void settle() {
    histogram_.add(0, repeats_);
    repeats_ = 0;
  }

 private:
  static constexpr std::ptrdiff_t kStretch = 64;
  static constexpr std::uint32_t kWindow = 64;
  static constexpr unsigned kGroup = 14;  // lines whose places lie together: 2^14
  static constexpr std::uint64_t kKnown = 64;
  static constexpr unsigned kLeaf = 9;    // bits of the map that the lowest counters count: 2^9
  static constexpr unsigned kFan = 4;     // children of a counter: 2^4
  static constexpr int kLevels = 6;

  void visit(std::uint32_t id) {
    std::uint32_t& place = places_[id];
    if (place == 0) [[unlikely]] {
      ++cold_;
    } else if (place <= kWindow) {
      leave_window(place - 1);
    } else {
      histogram_.add(static_cast<std::uint32_t>(__builtin_popcountll(live_)) + leave_map(place - kWindow - 1));
    }
    enter_window(id, place);
  }

  // A dense number for each line, so that 32 bits name it: groups of lines are numbered as they turn up.
  std::uint32_t identity(std::uint64_t line) {
    const std::uint64_t group = line >> kGroup;
    Known& known = known_[group % kKnown];
    if (known.group != group) [[unlikely]] known = {group, base_of(group)};
    return known.base | static_cast<std::uint32_t>(line & ((1u << kGroup) - 1));
  }

  std::uint32_t base_of(std::uint64_t group) {
    std::uint32_t& number = *groups_.at(group);
    if (number == 0) {
      number = ++used_groups_;
      places_.grow(static_cast<std::size_t>(used_groups_) << kGroup);
    }
    return (number - 1) << kGroup;
  }

  void leave_window(std::uint32_t slot) {
    const std::uint32_t after = (next_ - 1 - slot) & 63;  // slots used since, all of them newer
    const std::uint32_t turn = (slot + 1) & 63;
    const std::uint64_t turned = (live_ >> turn) | (live_ << ((64 - turn) & 63));
    histogram_.add(static_cast<std::uint32_t>(__builtin_popcountll(turned & ((1ull << after) - 1))));
    live_ &= ~(1ull << slot);
  }

  void enter_window(std::uint32_t id, std::uint32_t& place) {
    const std::uint64_t bit = 1ull << next_;
    if (live_ & bit) enter_map(owners_[next_]);
    live_ |= bit;
    owners_[next_] = id;
    place = next_ + 1;
    next_ = (next_ + 1) & 63;
  }

  void enter_map(std::uint32_t id) {
    if (head_ == capacity_) [[unlikely]] compact();
    const std::uint32_t at = head_++;
    places_[id] = at + kWindow + 1;
    map_owners_[at] = id;
    bits_[at >> 6] |= 1ull << (at & 63);
    ++pending_;
    if ((head_ & ((1u << kLeaf) - 1)) == 0) count_leaf(at);
  }

  // The counters learn of a leaf when it is full; until then its live positions are counted apart.
  void count_leaf(std::uint32_t at) {
    for (int level = 0; level < levels_; ++level) counts_[level][at >> (kLeaf + kFan * level)] += pending_;
    pending_ = 0;
  }

  // The number of live positions behind `at`; `at` is given up.
  std::uint32_t leave_map(std::uint32_t at) {
    std::uint32_t word = at >> 6;
    std::uint64_t bits = bits_[word];
    std::uint32_t behind = static_cast<std::uint32_t>(__builtin_popcountll(bits >> (at & 63))) - 1;
    bits_[word] = bits & ~(1ull << (at & 63));
    for (++word; word & ((1u << (kLeaf - 6)) - 1); ++word)
      behind += static_cast<std::uint32_t>(__builtin_popcountll(bits_[word]));
    if (at >> kLeaf == head_ >> kLeaf) {
      --pending_;
      return behind;
    }
    bool apart = true;  // the newest leaf is not yet in the same subtree
    for (int level = 0; level < levels_; ++level) {
      const std::uint32_t node = at >> (kLeaf + kFan * level);
      --counts_[level][node];
      apart = apart && node != head_ >> (kLeaf + kFan * level);
      if (apart) behind += siblings(counts_[level], node);
    }
    return behind + pending_;
  }

  static std::uint32_t siblings(const std::uint32_t* counts, std::uint32_t node) {
    const std::uint32_t* first = counts + (node & ~15u);
    const std::uint32_t from = (node & 15u) + 1;
    std::uint32_t sum = 0;
    for (std::uint32_t child = 0; child < 16; ++child) sum += child >= from ? first[child] : 0;
    return sum;
  }

  // Live positions move together, in order; the map grows when they fill more than half of it.
  void compact() {
    std::uint32_t kept = 0;
    const std::uint32_t words = capacity_ >> 6;
    for (std::uint32_t word = 0; word < words; ++word) {
      for (std::uint64_t bits = bits_[word]; bits; bits &= bits - 1) {
        const std::uint32_t id = map_owners_[(word << 6) + static_cast<std::uint32_t>(__builtin_ctzll(bits))];
        map_owners_[kept] = id;
        places_[id] = ++kept + kWindow;
      }
    }
    if (kept > capacity_ / 2 || capacity_ == 0) grow();
    rebuild(kept);
  }

  void grow() {
    capacity_ = capacity_ == 0 ? 1u << 13 : capacity_ * 2;
    map_owners_.grow(capacity_);
    bits_.grow(capacity_ >> 6);
    levels_ = 0;
    do {
      // Whole nodes, so that a sum over siblings stays inside.
      level_counts_[levels_].grow(((capacity_ >> (kLeaf + kFan * levels_)) + 16) & ~15u);
      counts_[levels_] = &level_counts_[levels_][0];
      ++levels_;
    } while (levels_ < kLevels && capacity_ >> (kLeaf + kFan * levels_) > 0);
  }

  void rebuild(std::uint32_t kept) {
    for (std::uint32_t word = 0; word < capacity_ >> 6; ++word) {
      const std::uint32_t from = word << 6;
      bits_[word] = kept >= from + 64 ? ~0ull : kept > from ? (1ull << (kept - from)) - 1 : 0;
    }
    pending_ = kept & ((1u << kLeaf) - 1);
    const std::uint32_t full = kept - pending_;
    for (int level = 0; level < levels_; ++level) {
      const std::uint32_t span = 1u << (kLeaf + kFan * level);
      for (std::uint32_t node = 0; node < level_counts_[level].size(); ++node) {
        const std::uint64_t from = static_cast<std::uint64_t>(node) * span;
        counts_[level][node] = full <= from ? 0 : full - from < span ? static_cast<std::uint32_t>(full - from) : span;
      }
    }
    head_ = kept;
  }

  unsigned shift_;
  std::uint64_t newest_ = ~0ull;
  std::uint64_t repeats_ = 0;
  std::uint64_t cold_ = 0;
  std::uint64_t live_ = 0;  // the window: bit i is set where slot i holds a line's last use
  std::uint32_t next_ = 0;  // the slot of the next reference
  std::uint32_t owners_[kWindow] = {};
  struct Known {  // groups looked up lately
    std::uint64_t group = ~0ull;
    std::uint32_t base = 0;
  };
  Known known_[kKnown];
  std::uint32_t used_groups_ = 0;
  Directory<std::uint32_t> groups_;
  Growing<std::uint32_t> places_;  // 0: never used; 1..64: slot of the window; above: position of the map
  Growing<std::uint32_t> map_owners_;
  Growing<std::uint64_t> bits_;
  Growing<std::uint32_t> level_counts_[kLevels];
  std::uint32_t* counts_[kLevels] = {};
  int levels_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t head_ = 0;
  std::uint32_t pending_ = 0;  // live positions of the leaf that is being filled
  DistanceHistogram histogram_;
};

}  // namespace foretell::trace
