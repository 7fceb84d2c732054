// Parts of an out-of-order core that the walk through a function keeps: units, foresight of jumps, buffers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "walk.hpp"

namespace foretell::walk {

// The whole numbers next to one that is not negative.
inline std::uint64_t downwards(double number) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); }
inline std::uint64_t upwards(double number) {
    const std::uint64_t whole = downwards(number);
    return whole + (static_cast<double>(static_cast<std::int64_t>(whole)) < number ? 1 : 0);
}

// Which cycles each unit is taken in, a bit for each; a window of them is kept.
class Ports {
public:
    explicit Ports(const std::vector<Instruction>& code) {
        std::uint64_t used = 0;
        for (const Instruction& one : code) {
            used |= one.load.ports | one.across.ports | one.store.ports | one.store_address.ports;
            for (const Unit& unit : one.units) used |= unit.ports;
        }
        for (; used != 0; used &= used - 1) taken_[static_cast<std::size_t>(std::countr_zero(used))].resize(kWindow);
    }

    // The unit and cycle at which work for one of `ports` can start, and books it: from `ready` on, but on the units of
    // `sooner` from when that says by unit.
    template <typename Ready>
    std::pair<int, double> book(std::uint64_t ports, double busy, double ready, std::uint64_t sooner, Ready when_on) {
        const std::uint64_t usual = upwards(ready);
        int best = -1;
        std::uint64_t when = 0;
        for (std::uint64_t left = ports; left != 0; left &= left - 1) {
            const int port = std::countr_zero(left);
            const std::uint64_t at = free(port, (sooner >> port & 1) != 0 ? upwards(when_on(port)) : usual);
            if (best < 0 || at < when || (at == when && load_[static_cast<std::size_t>(port)] < load_[static_cast<std::size_t>(best)]))
                best = port, when = at;
        }
        take(best, when, busy);
        return {best, static_cast<double>(when)};
    }

    std::pair<int, double> book(std::uint64_t ports, double busy, double ready) {
        return book(ports, busy, ready, 0, [&](int) { return ready; });
    }

private:
    static constexpr std::uint64_t kBits = 64, kWindow = 128;  // cycles of a word, and words
    struct Word {
        std::uint64_t number = ~std::uint64_t{0};
        std::uint64_t taken = 0;
    };

    Word& word(int port, std::uint64_t number) {
        Word& found = taken_[static_cast<std::size_t>(port)][number % kWindow];
        if (found.number != number) found = {number, 0};
        return found;
    }

    // The first cycle from one on in which a port is free.
    std::uint64_t free(int port, std::uint64_t from) {
        std::uint64_t after = ~std::uint64_t{0} << (from % kBits);
        for (std::uint64_t number = from / kBits;; number++, after = ~std::uint64_t{0})
            if (const std::uint64_t left = ~word(port, number).taken & after; left != 0)
                return number * kBits + static_cast<std::uint64_t>(std::countr_zero(left));
    }

    void take(int port, std::uint64_t cycle, double busy) {
        double& owed = owed_[static_cast<std::size_t>(port)];
        owed += busy;
        load_[static_cast<std::size_t>(port)] += busy;
        while (owed >= 0.85) {
            word(port, cycle / kBits).taken |= std::uint64_t{1} << (cycle % kBits);
            if ((owed -= 1) >= 0.85) cycle = free(port, cycle + 1);
        }
        owed = std::max(owed, 0.0);
    }

    std::array<std::vector<Word>, 64> taken_;
    std::array<double, 64> owed_{}, load_{};
};

// The last so many jumps as one number.
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

// Foresees conditional jumps from which way the last ones went, as predictors with several lengths of history do: the
// longest history that came before decides.
class Predictor {
public:
    Predictor(std::int64_t length, std::size_t places) : usual_(places, 0) {
        for (std::int64_t left = length; left > 0; left /= 4) tables_.emplace_back(static_cast<std::size_t>(left));
    }

    bool foresees(std::size_t place, bool taken) {
        bool guess = usual_[place] >= 0, found = false;
        for (Table& table : tables_) {
            const std::uint64_t key = (table.history.hash() + place) * 0x9E3779B97F4A7C15U;
            Entry& entry = table.entries[key >> (64 - kBits)];
            if (entry.key == key) {
                if (!found) guess = entry.habit >= 0, found = true;
                learn(entry.habit, taken);
            } else {
                entry = {key, taken ? Habit{0} : Habit{-1}};
            }
            table.history.push(place * 2 + (taken ? 1 : 0) + 1);
        }
        learn(usual_[place], taken);
        return guess == taken;
    }

private:
    static constexpr int kBits = 13;
    using Habit = std::int8_t;  // from -2, surely not, to 1, surely: one exception does not change it
    static void learn(Habit& habit, bool taken) {
        habit = static_cast<Habit>(taken ? std::min(habit + 1, 1) : std::max(habit - 1, -2));
    }

    struct Entry {
        std::uint64_t key;
        Habit habit;
    };
    struct Table {
        explicit Table(std::size_t length) : history(length), entries(std::size_t{1} << kBits) {}
        History history;
        std::vector<Entry> entries;
    };
    std::vector<Table> tables_;
    std::vector<Habit> usual_;
};

// The last so many numbers: the one that the n-th next will replace, and the next. Counting round instead of dividing.
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

// Operations that wait for their start: how many of them start in each cycle to come.
class Scheduler {
public:
    explicit Scheduler(std::int64_t places) : places_(static_cast<std::uint64_t>(places)), starting_(places > 0 ? kCycles : 0) {}

    // The cycle from `now` on, which never goes back, at which one more may wait.
    double place(double now) {
        if (places_ == 0) return now;
        while (waiting_ > 0 && now_ < downwards(now)) next();
        now_ = std::max(now_, downwards(now));
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
    static constexpr std::uint64_t kCycles = 1 << 15;  // what starts later than so many ahead counts as if then

    void next() {
        std::uint16_t& started = starting_[++now_ % kCycles];
        waiting_ -= started;
        started = 0;
    }

    std::uint64_t places_, now_ = 0, waiting_ = 0;
    std::vector<std::uint16_t> starting_;
};

}  // namespace foretell::walk
