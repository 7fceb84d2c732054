// State of an out-of-order core: execution units, branch predictor, buffers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "incore/ooo_core.hpp"

namespace foretell::ooo_core {

// Rounding of a non-negative number to the next lower and upper integer.
inline std::uint64_t downwards(double number) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); }
inline std::uint64_t upwards(double number) {
    const std::uint64_t whole = downwards(number);
    return whole + (static_cast<double>(static_cast<std::int64_t>(whole)) < number ? 1 : 0);
}

// Reservation table of the ports: a bit per cycle, over a sliding window.
class Ports {
public:
    explicit Ports(const std::vector<Unit>& units) : numbers_(kWindow, ~std::uint64_t{0}) {
        std::uint64_t used = 1;
        for (const Unit& unit : units) used |= unit.ports;
        count_ = static_cast<std::size_t>(std::bit_width(used));
        taken_.resize(kWindow * count_);
    }

    // Binds an operation to a port and books its earliest free cycle from `ready` on; returns both. The port is chosen
    // when the operation is issued, by the number of operations that wait for each, not when its operands are there
    // (Abel and Reineke, uiCA, arXiv 2107.14210, section 4): so one that is late may find its port busy and others idle.
    std::pair<int, double> book(const Unit& unit, double ready, double issued) {
        const int port = bound(unit.ports, downwards(issued));
        const std::uint64_t cycle = free(port, upwards(ready));
        take(port, cycle, unit.busy);
        return {port, static_cast<double>(cycle)};
    }

private:
    static constexpr std::uint64_t kBits = 64, kWindow = 128;  // cycles per word, and words per port
    static constexpr std::uint64_t kAhead = 4;                 // words in which operations that wait are counted

    // The port for which the fewest operations wait; of several, the least used one.
    int bound(std::uint64_t ports, std::uint64_t now) const {
        int best = std::countr_zero(ports), least = 0;
        if (std::has_single_bit(ports)) return best;
        least = waiting(best, now);
        for (std::uint64_t left = ports & (ports - 1); left != 0; left &= left - 1) {
            const int port = std::countr_zero(left), count = waiting(port, now);
            if (count < least || (count == least && load_[port] < load_[best])) best = port, least = count;
        }
        return best;
    }

    // Cycles from `now` on that are booked on a port.
    int waiting(int port, std::uint64_t now) const {
        int count = 0;
        std::uint64_t after = ~std::uint64_t{0} << (now % kBits);
        for (std::uint64_t number = now / kBits; number < now / kBits + kAhead; number++, after = ~std::uint64_t{0})
            if (const std::size_t place = number % kWindow; numbers_[place] == number)
                count += std::popcount(taken_[place * count_ + static_cast<std::size_t>(port)] & after);
        return count;
    }

    // Words of all ports for a range of cycles, contiguous.
    std::uint64_t* row(std::uint64_t number) {
        const std::size_t place = number % kWindow;
        std::uint64_t* const found = taken_.data() + place * count_;
        if (numbers_[place] != number) {
            numbers_[place] = number;
            std::fill_n(found, count_, 0);
        }
        return found;
    }

    // First cycle from `from` on in which a port is free.
    std::uint64_t free(int port, std::uint64_t from) {
        std::uint64_t after = ~std::uint64_t{0} << (from % kBits);
        for (std::uint64_t number = from / kBits;; number++, after = ~std::uint64_t{0})
            if (const std::uint64_t left = ~row(number)[port] & after; left != 0)
                return number * kBits + static_cast<std::uint64_t>(std::countr_zero(left));
    }

    void take(int port, std::uint64_t cycle, double busy) {
        double owed = owed_[port] + busy;
        load_[port] += busy;
        if (owed >= 0.85) {
            row(cycle / kBits)[port] |= std::uint64_t{1} << (cycle % kBits);
            while ((owed -= 1) >= 0.85) {
                cycle = free(port, cycle + 1);
                row(cycle / kBits)[port] |= std::uint64_t{1} << (cycle % kBits);
            }
        }
        owed_[port] = std::max(owed, 0.0);
    }

    std::vector<std::uint64_t> numbers_, taken_;
    std::size_t count_ = 0;
    double owed_[64] = {}, load_[64] = {};
};

// History of the last jumps, as one number.
class History {
public:
    explicit History(std::size_t length) : past_(length, 0) {
        for (std::size_t k = 0; k < length; k++) oldest_ *= kBase;
    }

    void push(std::uint64_t event) {
        hash_ = hash_ * kBase + event - past_[next_] * oldest_;
        past_[next_] = event;
        next_ = next_ + 1 < past_.size() ? next_ + 1 : 0;
    }

    std::uint64_t hash() const { return hash_; }

private:
    static constexpr std::uint64_t kBase = 0x100000001B3U;
    std::vector<std::uint64_t> past_;
    std::size_t next_ = 0;
    std::uint64_t hash_ = 0, oldest_ = 1;
};

// Predicts conditional jumps from global history with several history lengths, as TAGE does: the longest matching
// history decides.
class Predictor {
public:
    Predictor(std::int64_t length, std::size_t places) : usual_(places, 0), entries_(kept()) {
        for (std::int64_t left = length; left > 0; left /= 4) histories_.emplace_back(static_cast<std::size_t>(left));
        if (entries_.size() < histories_.size() << kBits) entries_.resize(histories_.size() << kBits);
        if (++walk() == 0) {  // simulation numbers wrap around
            std::fill(entries_.begin(), entries_.end(), Entry{});
            walk() = 1;
        }
        walk_ = walk();
    }

    bool foresees(std::size_t place, bool taken) {
        bool guess = usual_[place] >= 0, found = false, quick = guess;
        Entry* table = entries_.data();
        for (History& history : histories_) {
            const std::uint64_t key = (history.hash() + place) * 0x9E3779B97F4A7C15U;
            Entry& entry = table[key >> (64 - kBits)];
            if (entry.key == key && entry.walk == walk_) {
                quick = entry.habit >= 0;
                if (!found) guess = quick, found = true;
                learn(entry.habit, taken);
            } else {
                quick = usual_[place] >= 0;
                entry = {key, walk_, taken ? Habit{0} : Habit{-1}};
            }
            history.push(place * 2 + (taken ? 1 : 0) + 1);
            table += std::size_t{1} << kBits;
        }
        learn(usual_[place], taken);
        overrides_ = quick != guess, hasty_ = quick != taken;
        return guess == taken;
    }

    // Whether the last prediction came from a longer history than the shortest, against that one: fetch had gone on with
    // the quick prediction.
    bool overrides() const { return overrides_; }
    // Whether the quick prediction was wrong.
    bool hasty() const { return hasty_; }

private:
    static constexpr int kBits = 13;
    using Habit = std::int8_t;  // saturating: -2 surely not taken … 1 surely taken; one exception does not change it
    static void learn(Habit& habit, bool taken) {
        habit = static_cast<Habit>(taken ? std::min(habit + 1, 1) : std::max(habit - 1, -2));
    }

    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t walk = 0;  // simulation that wrote it; entries of other ones are ignored
        Habit habit = 0;
    };

    // Tables are kept between simulations: clearing them takes as long as a short simulation.
    static std::vector<Entry>& kept() {
        static thread_local std::vector<Entry> entries;
        return entries;
    }
    static std::uint32_t& walk() {
        static thread_local std::uint32_t number = 0;
        return number;
    }

    std::vector<History> histories_;
    std::vector<Habit> usual_;
    bool overrides_ = false, hasty_ = false;
    std::vector<Entry>& entries_;  // one table per history length
    std::uint32_t walk_ = 0;
};

// The last values: the one that the n-th next will replace, and the next. Wraps an index instead of dividing.
class Ring {
public:
    explicit Ring(std::size_t size) : numbers_(size, 0.0) {}
    double before(std::size_t ahead) const {
        const std::size_t place = next_ + ahead;
        return numbers_[place < numbers_.size() ? place : (place - numbers_.size()) % numbers_.size()];
    }
    void push(double number) {
        numbers_[next_] = number;
        next_ = next_ + 1 < numbers_.size() ? next_ + 1 : 0;
    }

private:
    std::vector<double> numbers_;
    std::size_t next_ = 0;
};

// Occupancy of a scheduler: number of waiting operations that start in each future cycle.
class Scheduler {
public:
    explicit Scheduler(std::int64_t places)
        : places_(static_cast<std::uint64_t>(places)), starting_(places > 0 ? kCycles : 0) {}

    // First cycle from `now` (monotonic) on at which an entry is free.
    double place(double now) {
        if (places_ == 0) return now;
        const std::uint64_t cycle = downwards(now);
        while (waiting_ > 0 && now_ < cycle) next();
        now_ = std::max(now_, cycle);
        while (waiting_ >= places_) next();
        return std::max(now, static_cast<double>(now_));
    }

    void add(double start) {
        const std::uint64_t cycle = std::min(downwards(start), now_ + kCycles - 1);
        if (places_ == 0 || cycle <= now_) return;
        starting_[cycle % kCycles]++;
        waiting_++;
    }

private:
    static constexpr std::uint64_t kCycles = 1 << 15;  // later starts are clamped to this horizon

    void next() {
        std::uint16_t& started = starting_[++now_ % kCycles];
        waiting_ -= started;
        started = 0;
    }

    std::uint64_t places_, now_ = 0, waiting_ = 0;
    std::vector<std::uint16_t> starting_;
};

// An in-flight store, as younger loads see it.
struct Waiting {
    std::uint64_t address = 0, bytes = 0;
    double data = 0, commit = 0;
    bool plain = false;                                 // the renamer can tell the place
    std::uint64_t earlier_first = 0, earlier_last = 0;  // stores before it to its first and its last grain
};

// The stores to each offset in a page, the last one first. Stores older than the last `places`, the size of the store
// buffer, have reached the cache.
class Stores {
public:
    explicit Stores(std::int64_t places)
        : waiting_(std::bit_ceil(2 * static_cast<std::size_t>(std::max<std::int64_t>(places, 4)))),
          mask_(waiting_.size() - 1) {}

    void add(std::uint64_t place, std::uint64_t bytes, double data, bool plain) {
        const auto first = place / kGrain, end = last_grain(place, bytes);
        waiting_[++count_ & mask_] = {place, bytes, data, 0, plain, last_[first % kGrains], last_[end % kGrains]};
        for (auto grain = first; grain <= end; grain++) last_[grain % kGrains] = count_;
    }

    // Sets the commit cycle of the last one.
    void commit(double cycle) { waiting_[count_ & mask_].commit = cycle; }

    // Calls a function for the last store to each of some bytes, or to the same offset in another page (4K aliasing),
    // that has not reached the cache by a cycle.
    template <typename Each>
    void each(std::uint64_t place, std::uint64_t bytes, double cycle, Each meet) const {
        std::uint64_t before = 0;
        for (auto grain = place / kGrain; grain <= last_grain(place, bytes); grain++) {
            const std::uint64_t found = last_at(grain, place, bytes);
            if (found == before) continue;
            before = found;
            if (const Waiting& one = waiting_[found & mask_]; one.commit > cycle) meet(one);
        }
    }

private:
    // The number of the last store to bytes of a grain; 0: none that is kept. Neighbours in a grain, such as two numbers
    // of 4 bytes, do not hide each other.
    std::uint64_t last_at(std::uint64_t grain, std::uint64_t place, std::uint64_t bytes) const {
        std::uint64_t found = last_[grain % kGrains];
        while (found != 0 && found + mask_ >= count_) {
            const Waiting& one = waiting_[found & mask_];
            if (overlap(one, place, bytes)) return found;
            const auto first = one.address / kGrain;
            found = grain % kGrains == first % kGrains ? one.earlier_first : one.earlier_last;
        }
        return 0;
    }

    // Whether two accesses have an offset within a page in common.
    static bool overlap(const Waiting& one, std::uint64_t place, std::uint64_t bytes) {
        constexpr std::uint64_t kPage = kGrain * kGrains;
        return (place - one.address) % kPage < std::max<std::uint64_t>(one.bytes, 1) ||
               (one.address - place) % kPage < std::max<std::uint64_t>(bytes, 1);
    }

    // An access of no bytes touches its place: nothing is before address 0.
    static std::uint64_t last_grain(std::uint64_t place, std::uint64_t bytes) {
        return (place + std::max<std::uint64_t>(bytes, 1) - 1) / kGrain;
    }

    static constexpr std::uint64_t kGrain = 8;  // bytes of which the last store is kept
    std::vector<Waiting> waiting_;              // the last ones, a power of two
    std::uint64_t mask_;
    static constexpr std::uint64_t kGrains = 512;
    std::array<std::uint64_t, kGrains> last_{};  // store numbers; the first is 1
    std::uint64_t count_ = 0;
};

}  // namespace foretell::ooo_core
