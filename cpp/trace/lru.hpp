// Exact LRU stack distances, in a stream and in memory that grows with the lines touched only.
//
// A line that was used among the last 64 references sits in a window: one bit for each of them, set where a line was
// used last; a distance inside the window is a count of bits. A line that leaves the window gets the next position of
// a long bit map, in order of last use; a distance there is a count of bits behind the line's own, summed over a tree
// of counters (16 children a node; each counts what its later siblings hold), only as far up as the line and the newest
// position are apart. Positions of lines used again stay empty; when positions run out, the live ones are moved together.
//
// No exception, no allocation but whole pages, no C++ library: this is linked into other people's programs, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pages.hpp"

namespace foretell::trace {

// Counts of distances: exact up to kExact, then in 256 ranges for each doubling; first touches behind them.
struct Distances {
  static constexpr std::uint32_t kExact = 1u << 16;
  static constexpr std::uint32_t kPerOctave = 256;
  static constexpr std::uint32_t kCold = kExact + 16 * kPerOctave;
  static constexpr std::uint32_t kSize = kCold + 1;

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
};

// A reference's highest bit: it goes on where the one before ended, so it counts only on a line of its own.
constexpr std::uint64_t kContinued = 1ull << 63;

// Iterations of a loop that touch the same lines as the one before: a period of P references that comes again. After a
// whole period the lines are in the same order of last use, so it changes nothing but counts, and the distances in it
// follow from the period alone: how many different lines lie between two uses of a line, around its end.
class Repeats {
 public:
  static constexpr std::size_t kBack = 32;  // the longest period

  // Counts all whole periods at `line` that repeat what stands before it; returns how many references they have. Where
  // there are none, the references that were found too few to be two periods need not be asked about again.
  template <class Count>
  std::size_t skip(const std::uint64_t* line, std::size_t count, Count add) {
    if (asked_ > 0) {
      --asked_;
      return 0;
    }
    const std::size_t same = line[0] == line[-period_] ? run(line, count, period_) : 0;
    const std::size_t period = static_cast<std::size_t>(period_), times = same / period;
    if (times < 2) {
      asked_ = same;
      if (--patience_ == 0) find_period(line, count);
      return 0;
    }
    patience_ = kPatience;
    interval_ = 1;
    shape(line - period, period);
    for (std::size_t at = 0; at < period; ++at) add(distances_[at], times);
    return times * period;
  }

 private:
  static constexpr std::uint32_t kPatience = 29, kMostPatience = 4095;  // odd, not to meet lines in step

  // How many references in a row have the line of the one a period before.
  static std::size_t run(const std::uint64_t* line, std::size_t count, std::ptrdiff_t period) {
    std::size_t same = 0;
    for (; same + 8 <= count; same += 8) {
      std::uint64_t differ = 0;
      for (std::size_t at = 0; at < 8; ++at) differ |= line[same + at] ^ line[same + at - period];
      if (differ) break;
    }
    while (same < count && line[same] == line[same - period]) ++same;
    return same;
  }

  // The period with the longest run here; looks less and less often where there is none.
  void find_period(const std::uint64_t* line, std::size_t count) {
    std::size_t longest = 0;
    for (std::ptrdiff_t period = 1; period <= static_cast<std::ptrdiff_t>(kBack); ++period) {
      const std::size_t same = run(line, count < 256 ? count : 256, period);
      if (same >= 2 * static_cast<std::size_t>(period) && same > longest) {
        longest = same;
        period_ = period;
      }
    }
    interval_ = longest ? 1 : interval_ < kMostPatience ? 2 * interval_ + 1 : interval_;
    patience_ = longest ? kPatience : interval_;
  }

  // Distances of a period that repeats; most periods have the shape of the one before.
  void shape(const std::uint64_t* line, std::size_t period) {
    bool same = period == shaped_;
    for (std::size_t at = 0; at < period; ++at) {
      std::size_t back = 1;
      while (back < period && line[at] != line[at >= back ? at - back : at + period - back]) ++back;
      same = same && back == backs_[at];
      backs_[at] = static_cast<std::uint8_t>(back);
    }
    if (same) return;
    shaped_ = period;
    for (std::size_t at = 0; at < period; ++at) {
      distances_[at] = 0;
      for (std::size_t step = 1; step < backs_[at]; ++step) {  // a line counts where it is used last before `at`
        const std::size_t other = at >= step ? at - step : at + period - step;
        bool newer = false;
        for (std::size_t later = 1; later < step && !newer; ++later)
          newer = line[other] == line[at >= later ? at - later : at + period - later];
        distances_[at] += !newer;
      }
    }
  }

  std::ptrdiff_t period_ = 1;
  std::size_t asked_ = 0;
  std::uint32_t patience_ = kPatience, interval_ = 1;
  std::size_t shaped_ = 0;
  std::uint8_t backs_[kBack] = {};
  std::uint32_t distances_[kBack] = {};
};

class Lru {
 public:
  Lru(unsigned line_shift, std::uint64_t* counts)
      : shift_(line_shift), lines_(pages<std::uint64_t>(Repeats::kBack + kBatch)), counts_(counts) {
    for (std::size_t at = 0; at < Repeats::kBack; ++at) lines_[at] = ~0ull - at;  // no line, and no two the same
  }

  unsigned shift() const { return shift_; }

  // References in their order. What repeats the lines of one iteration before changes nothing but counts (Repeats);
  // other lines are looked up first and visited a stretch later, so that what is known of them is on its way from
  // memory; a reference to the same line as the one before needs no visit.
  void touch(const std::uint64_t* reference, const std::uint64_t* last) {
    while (reference != last) {
      const std::size_t count = last - reference > kBatch ? kBatch : static_cast<std::size_t>(last - reference);
      std::uint64_t flags = 0;
      std::uint64_t* line = lines_ + Repeats::kBack;
      for (std::size_t at = 0; at < count; ++at) {
        flags |= reference[at];
        line[at] = (reference[at] & ~kContinued) >> shift_;
      }
      if (flags & kContinued) {
        touch_continued(reference, count);
      } else {
        touch_lines(line, count);
      }
      for (std::size_t at = 0; at < Repeats::kBack; ++at) lines_[at] = lines_[at + count];
      reference += count;
    }
  }

  // What waits, or was counted apart, goes to where distances are counted: call before they are read.
  void settle() {
    visit_waiting();
    add(0, repeats_);
    repeats_ = 0;
  }

  // Where distances are counted from here on (Distances): each loop has its own.
  void count_in(std::uint64_t* counts) {
    if (counts_ != nullptr) settle();
    counts_ = counts;
  }

 private:
  static constexpr std::ptrdiff_t kBatch = 4096;
  static constexpr std::size_t kStretch = 64;
  static constexpr std::uint32_t kWindow = 64;
  static constexpr unsigned kGroup = 14;  // lines whose places lie together: 2^14
  static constexpr std::uint64_t kKnown = 64;
  static constexpr unsigned kLeaf = 9;    // bits of the map that the lowest counters count: 2^9
  static constexpr unsigned kFan = 4;     // children of a counter: 2^4
  static constexpr int kLevels = 6;

  void add(std::uint32_t distance, std::uint64_t times = 1) {
    counts_[Distances::index(distance)] += times;
  }

  void touch_lines(const std::uint64_t* line, std::size_t count) {
    for (std::size_t at = 0; at < count;) {
      at += repeats_of_.skip(line + at, count - at, [this](std::uint32_t far, std::uint64_t times) { add(far, times); });
      if (at == count) break;
      if (line[at] == (line + at)[-1]) {  // of the first reference ever, there is none that is the same
        ++repeats_;
      } else {
        look_up(line[at]);
      }
      ++at;
    }
  }

  // A reference that goes on where another ended counts only on a line of its own.
  void touch_continued(const std::uint64_t* reference, std::size_t count) {
    const std::uint64_t* line = lines_ + Repeats::kBack;
    for (std::size_t at = 0; at < count; ++at) {
      if (line[at] != (line + at)[-1]) {
        look_up(line[at]);
      } else {
        repeats_ += (reference[at] & kContinued) == 0;
      }
    }
  }

  void look_up(std::uint64_t line) {
    if (waiting_ == kStretch) visit_waiting();
    ids_[waiting_] = identity(line);
    __builtin_prefetch(&places_[ids_[waiting_]]);
    ++waiting_;
  }

  void visit_waiting() {
    for (std::size_t at = 0; at < waiting_; ++at) visit(ids_[at]);
    waiting_ = 0;
  }

  void visit(std::uint32_t id) {
    std::uint32_t& place = places_[id];
    if (place == 0) [[unlikely]] {
      ++counts_[Distances::kCold];
    } else if (place <= kWindow) {
      leave_window(place - 1);
    } else {
      add(static_cast<std::uint32_t>(__builtin_popcountll(live_)) + leave_map(place - kWindow - 1));
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
    add(static_cast<std::uint32_t>(__builtin_popcountll(turned & ((1ull << after) - 1))));
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
    for (int level = 0; level < levels_; ++level) add_before(later_[level], at >> (kLeaf + kFan * level), pending_);
    pending_ = 0;
  }

  // The number of live positions behind `at`; `at` is given up. No branches on where it lies: they could not be guessed.
  std::uint32_t leave_map(std::uint32_t at) {
    std::uint32_t behind = behind_in_leaf(at);
    bits_[at >> 6] &= ~(1ull << (at & 63));
    const bool newest = at >> kLeaf == head_ >> kLeaf;
    pending_ -= newest;
    std::uint32_t apart = newest ? 0 : ~0u;  // all ones while the newest leaf is not in the same subtree
    behind += pending_ & apart;
    for (int level = 0; level < levels_; ++level) {
      const std::uint32_t node = at >> (kLeaf + kFan * level);
      apart &= node != head_ >> (kLeaf + kFan * level) ? ~0u : 0;
      behind += later_[level][node] & apart;
      add_before(later_[level], node, newest ? 0 : ~0u);
    }
    return behind;
  }

  std::uint32_t behind_in_leaf(std::uint32_t at) const {
    const std::uint64_t* words = &bits_[(at >> 6) & ~7u];
    const std::uint32_t own = (at >> 6) & 7u;
    const std::uint64_t rest = ~1ull << (at & 63);
    std::uint64_t live = 0;
    for (std::uint32_t word = 0; word < 8; ++word) {
      const std::uint64_t mask = word > own ? ~0ull : word == own ? rest : 0;
      live += static_cast<std::uint64_t>(__builtin_popcountll(words[word] & mask));
    }
    return static_cast<std::uint32_t>(live);
  }

  // A counter holds what its later siblings have: what a node gains or loses concerns the siblings before it.
  [[gnu::always_inline]] static void add_before(std::uint32_t* counts, std::uint32_t node, std::uint32_t gained) {
    std::uint32_t* first = counts + (node & ~15u);
    const std::uint32_t own = node & 15u;
    for (std::uint32_t child = 0; child < 16; ++child) first[child] += child < own ? gained : 0;
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
      // Whole nodes, so that siblings can be changed together.
      level_counts_[levels_].grow(((capacity_ >> (kLeaf + kFan * levels_)) + 16) & ~15u);
      later_[levels_] = &level_counts_[levels_][0];
      ++levels_;
    } while (levels_ < kLevels && capacity_ >> (kLeaf + kFan * levels_) > 1);  // one node has no later siblings
  }

  void rebuild(std::uint32_t kept) {
    for (std::uint32_t word = 0; word < capacity_ >> 6; ++word) {
      const std::uint32_t from = word << 6;
      bits_[word] = kept >= from + 64 ? ~0ull : kept > from ? (1ull << (kept - from)) - 1 : 0;
    }
    pending_ = kept & ((1u << kLeaf) - 1);
    const std::uint64_t full = kept - pending_;
    for (int level = 0; level < levels_; ++level) {
      const unsigned span = kLeaf + static_cast<unsigned>(kFan * level);
      for (std::uint64_t node = 0; node < level_counts_[level].size(); ++node) {
        const std::uint64_t from = (node + 1) << span, to = ((node | 15) + 1) << span;  // of the later siblings
        later_[level][node] = static_cast<std::uint32_t>((full < to ? full : to) - (full < from ? full : from));
      }
    }
    head_ = kept;
  }

  unsigned shift_;
  std::uint64_t* lines_;  // of a batch, behind the last of the batch before
  std::uint32_t ids_[kStretch];
  std::size_t waiting_ = 0;  // lines looked up and not yet visited
  Repeats repeats_of_;
  std::uint64_t repeats_ = 0;
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
  std::uint32_t* later_[kLevels] = {};
  int levels_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t head_ = 0;
  std::uint32_t pending_ = 0;  // live positions of the leaf that is being filled
  std::uint64_t* counts_;
};

}  // namespace foretell::trace
