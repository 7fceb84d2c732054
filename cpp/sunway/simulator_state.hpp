// State of the simulation in simulator.cpp: requests, controllers and cores.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sunway/simulator.hpp"

namespace foretell::swsim {

inline constexpr double never = std::numeric_limits<double>::infinity();

// Events that a core can wait for; their times are in `Core::arrival`. Two buffers have two transfers out in flight.
enum Slot : std::uint8_t { transfer_in, transfer_out, transfer_out_other, direct_load, slots };

// A request in flight: its transactions are served one by one, in order.
struct Request {
    std::uint64_t left;
    std::uint64_t next;  // address of the next transaction, in transactions
    std::uint32_t core;
    Slot slot;
};

inline constexpr std::uint64_t behind_loads = std::uint64_t{1} << 63;

// A request that waits for a controller, or for its own gap to elapse.
struct Waiting {
    std::uint64_t rank;  // direct loads first, then by age
    double ready;
    std::uint32_t request;
};

// Requests by rank. They leave near the front and are inserted near either end, so the shorter side is moved.
class Queue {
public:
    bool empty() const { return first_ == items_.size(); }
    std::size_t size() const { return items_.size() - first_; }
    Waiting& operator[](std::size_t k) { return items_[first_ + k]; }
    const Waiting& operator[](std::size_t k) const { return items_[first_ + k]; }

    void erase(std::size_t k) {
        const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first_);
        const auto position = begin + static_cast<std::ptrdiff_t>(k);
        std::move_backward(begin, position, position + 1);
        ++first_;
        if (first_ > spare) {
            items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
    }

    void insert(const Waiting& waiting) {
        const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first_);
        if (empty() || items_.back().rank < waiting.rank) {
            items_.push_back(waiting);
            return;
        }
        auto position = begin;
        while (position->rank < waiting.rank) ++position;
        if (first_ == 0) {
            items_.insert(position, waiting);
            return;
        }
        std::move(begin, position, begin - 1);
        *(position - 1) = waiting;
        --first_;
    }

private:
    static constexpr std::size_t spare = 1024;
    std::vector<Waiting> items_;
    std::size_t first_ = 0;
};

// Serves the oldest ready request, so the first requests get all the bandwidth they can use. Direct loads do not queue
// behind the transfers of the DMA engine; `rank` puts them first.
struct Controller {
    double free = 0;
    Queue queue;
    double start = never;      // of the next transaction …
    std::size_t selected = 0;  // … and the index of its request in the queue

    void select() {
        start = never;
        for (std::size_t k = 0; k < queue.size(); ++k) {
            if (queue[k].ready <= free) {
                start = free;
                selected = k;
                return;
            }
            if (queue[k].ready < start) {
                start = queue[k].ready;
                selected = k;
            }
        }
    }
};

// A request issued by a core.
struct Arrival {
    double time;
    std::uint64_t order;  // issue order among arrivals at one time
    std::uint64_t transactions;
    std::uint32_t core;
    Slot slot;
};

struct Later {
    bool operator()(const Arrival& a, const Arrival& b) const {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
};

enum class Phase : std::uint8_t { fetch, fetched, compute, loaded, store, stored, drain, finished };

// A core runs ahead of the controllers up to the next event that it must wait for; `now` is its own time.
struct Core {
    const Sequence* sequence = nullptr;
    std::size_t part = 0;  // of the sequence
    std::uint64_t round = 0;
    Phase phase = Phase::fetch;
    double now = 0;
    std::array<double, slots> arrival{};
    Slot waits_for = slots;
    std::size_t transfer = 0;      // next transfer of this phase
    std::uint64_t loads_left = 0;  // of this round
    double piece = 0;              // computation between two loads
    bool prefetched = false;       // the data of the next round has been requested
    bool second = false;           // which of the two buffers is stored next
    std::uint64_t address = 0;
    double compute = 0, transfer_wait = 0, load_wait = 0;
};

// Requests before the end of round k, of `count` spread evenly over `rounds`. Of transfers before the computation the
// first is in the first round, of those after it the last in the last.
inline std::uint64_t issued(std::uint64_t count, std::uint64_t rounds, std::uint64_t k, bool before) {
    const auto product = static_cast<unsigned __int128>(k) * count;
    return static_cast<std::uint64_t>((product + (before ? rounds - 1 : 0)) / rounds);
}

// Requests of round k.
inline std::uint64_t share(std::uint64_t count, std::uint64_t rounds, std::uint64_t k, bool before) {
    return count == rounds ? 1 : issued(count, rounds, k + 1, before) - issued(count, rounds, k, before);
}

}  // namespace foretell::swsim
