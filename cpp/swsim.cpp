#include "swsim.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace foretell::swsim {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Times are whole multiples of a millionth of a cycle, so that sums of them are exact: which of two requests is ready
// first, or whether both are at once, is not a matter of rounding.
double exact(double cycles) {
    constexpr double ticks = 1 << 20;
    return std::round(cycles * ticks) / ticks;
}

// What a core can wait for; when it arrives is in `Core::arrival`. Two buffers have two transfers out on their way.
enum Slot : std::uint8_t { transfer_in, transfer_out, transfer_out_other, direct_load, slots };

// A request on its way: its transactions are served one by one, in order.
struct Request {
    std::uint64_t left;
    std::uint64_t next;  // address of the next transaction, in transactions
    std::uint32_t core;
    Slot slot;
};

constexpr std::uint64_t behind_loads = std::uint64_t{1} << 63;

// A request that waits for a controller, or for its own gap to pass.
struct Waiting {
    std::uint64_t rank;  // direct loads first, then by age
    double ready;
    std::uint32_t request;
};

// Requests by rank. They leave near the front and come near either end, so the shorter
// side makes room.
class Queue {
public:
    bool empty() const { return first_ == items_.size(); }
    std::size_t size() const { return items_.size() - first_; }
    Waiting& operator[](std::size_t k) { return items_[first_ + k]; }
    const Waiting& operator[](std::size_t k) const { return items_[first_ + k]; }

    void erase(std::size_t k) {
        const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first_);
        const auto place = begin + static_cast<std::ptrdiff_t>(k);
        std::move_backward(begin, place, place + 1);
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
        auto place = begin;
        while (place->rank < waiting.rank) ++place;
        if (first_ == 0) {
            items_.insert(place, waiting);
            return;
        }
        std::move(begin, place, begin - 1);
        *(place - 1) = waiting;
        --first_;
    }

private:
    static constexpr std::size_t spare = 1024;
    std::vector<Waiting> items_;
    std::size_t first_ = 0;
};

// Serves the oldest request that is ready: who came first gets all the bandwidth it can take. Direct loads do not queue
// behind the transfers of the DMA engine; `rank` puts them first.
struct Controller {
    double free = 0;
    Queue queue;
    double start = never;  // of the next transaction …
    std::size_t who = 0;   // … and whose it is

    void choose() {
        start = never;
        for (std::size_t k = 0; k < queue.size(); ++k) {
            if (queue[k].ready <= free) {
                start = free;
                who = k;
                return;
            }
            if (queue[k].ready < start) {
                start = queue[k].ready;
                who = k;
            }
        }
    }
};

// A core makes a request.
struct Arrival {
    double time;
    std::uint64_t order;  // among arrivals at one time, the one that was made first
    std::uint64_t transactions;
    std::uint32_t core;
    Slot slot;
};

struct Later {
    bool operator()(const Arrival& a, const Arrival& b) const {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
};

enum class Phase : std::uint8_t { bring, brought, compute, loaded, send, sent, drain, finished };

// A core runs ahead of the controllers up to the next thing that it must wait for; `now` is its own time.
struct Core {
    const Sequence* sequence = nullptr;
    std::size_t part = 0;  // of the sequence
    std::uint64_t round = 0;
    Phase phase = Phase::bring;
    double now = 0;
    std::array<double, slots> arrival{};
    Slot waits_for = slots;
    std::size_t transfer = 0;      // the next transfer of this phase to look at
    std::uint64_t loads_left = 0;  // of this round
    double piece = 0;              // computation between two loads
    bool prefetched = false;       // the data of the coming round has been asked for
    bool second = false;           // which of the two buffers goes out next
    std::uint64_t address = 0;
    double compute = 0, transfer_wait = 0, load_wait = 0;
};

// Of `count` transfers, so many belong to the k-th of `rounds` rounds. Of transfers that come before the computation
// the first is in the first round, of those after it the last in the last.
std::uint64_t share(std::uint64_t count, std::uint64_t rounds, std::uint64_t k, bool before) {
    if (count == rounds) return 1;
    const auto upto = [&](std::uint64_t round) {
        const auto product = static_cast<unsigned __int128>(round) * count;
        return static_cast<std::uint64_t>((product + (before ? rounds - 1 : 0)) / rounds);
    };
    return upto(k + 1) - upto(k);
}

class Simulation {
public:
    Simulation(const Memory& memory, const std::vector<Program>& programs, const std::vector<Sequence>& sequences,
               bool double_buffer)
        : memory_{exact(memory.service), exact(memory.latency), exact(memory.gap), memory.controllers},
          programs_(programs),
          double_(double_buffer),
          controllers_(memory.controllers) {
        cores_.resize(sequences.size());
        for (std::size_t k = 0; k < sequences.size(); ++k) {
            cores_[k].sequence = &sequences[k];
            cores_[k].address = k;  // cores work on different data: each starts at another controller
        }
    }

    Result run() {
        for (std::uint32_t k = 0; k < cores_.size(); ++k) {
            begin_round(cores_[k]);
            advance(k);
        }
        for (;;) {
            Controller* controller = &controllers_[0];
            for (Controller& other : controllers_)
                if (other.start < controller->start) controller = &other;
            const double arrival = arrivals_.empty() ? never : arrivals_.front().time;
            if (controller->start < arrival) {
                serve(*controller);
            } else if (!arrivals_.empty()) {
                admit();
            } else {
                return result();
            }
        }
    }

private:
    // ------------------------------------------------------------------------------ memory

    void admit() {
        std::pop_heap(arrivals_.begin(), arrivals_.end(), Later{});
        const Arrival arrival = arrivals_.back();
        arrivals_.pop_back();
        if (unused_.empty()) {
            unused_.push_back(static_cast<std::uint32_t>(requests_.size()));
            requests_.emplace_back();
        }
        const std::uint32_t number = unused_.back();
        unused_.pop_back();
        Core& core = cores_[arrival.core];
        requests_[number] = {arrival.transactions, core.address, arrival.core, arrival.slot};
        Controller& controller = controllers_[core.address % controllers_.size()];
        core.address += arrival.transactions;
        const std::uint64_t rank = age_++ | (arrival.slot == direct_load ? 0 : behind_loads);
        controller.queue.insert({rank, arrival.time, number});
        controller.choose();
    }

    void serve(Controller& controller) {
        const Waiting waiting = controller.queue[controller.who];
        Request& request = requests_[waiting.request];
        const double start = controller.start;
        controller.free = start + memory_.service;
        ++served_;
        ++request.next;
        if (--request.left == 0) {
            controller.queue.erase(controller.who);
            controller.choose();
            unused_.push_back(waiting.request);
            arrived(request.core, request.slot, start + memory_.latency);
            return;
        }
        Controller& following =
            controllers_.size() == 1 ? controller : controllers_[request.next % controllers_.size()];
        if (&following == &controller) {
            controller.queue[controller.who].ready = start + memory_.gap;
        } else {
            controller.queue.erase(controller.who);
            following.queue.insert({waiting.rank, start + memory_.gap, waiting.request});
            following.choose();
        }
        controller.choose();
    }

    void arrived(std::uint32_t number, Slot slot, double time) {
        Core& core = cores_[number];
        core.arrival[slot] = time;
        if (core.waits_for != slot) return;
        core.waits_for = slots;
        advance(number);
    }

    // ------------------------------------------------------------------------------ cores

    void ask(std::uint32_t number, std::uint64_t transactions, Slot slot) {
        Core& core = cores_[number];
        core.arrival[slot] = never;
        arrivals_.push_back({core.now, order_++, transactions, number, slot});
        std::push_heap(arrivals_.begin(), arrivals_.end(), Later{});
    }

    // True when it is known when the request of this slot completes; the core's time is then at least that.
    bool wait(Core& core, Slot slot) {
        if (core.arrival[slot] == never) {
            core.waits_for = slot;
            return false;
        }
        const double waited = std::max(0.0, core.arrival[slot] - core.now);
        (slot == direct_load ? core.load_wait : core.transfer_wait) += waited;
        core.now += waited;
        return true;
    }

    const Program& program(const Core& core) const { return programs_[(*core.sequence)[core.part]]; }
    bool at_end(const Core& core) const { return core.part == core.sequence->size(); }

    // Programs without rounds are passed over.
    void begin_round(Core& core) const {
        while (!at_end(core) && core.round >= program(core).rounds) {
            ++core.part;
            core.round = 0;
        }
        core.phase = at_end(core) ? Phase::drain : Phase::bring;
        core.transfer = 0;
    }

    // The core goes on until it has to wait for something that is not known yet.
    void advance(std::uint32_t number) {
        Core& core = cores_[number];
        while (core.phase != Phase::finished)
            if (!step(number, core)) return;
    }

    bool step(std::uint32_t number, Core& core) {
        switch (core.phase) {
            case Phase::bring:
                if (double_) {
                    if (!core.prefetched) bring_all(number, core.part, core.round);
                    core.phase = Phase::brought;
                } else if (bring_or_send_one(number, false)) {
                    core.phase = Phase::brought;
                } else {
                    begin_computation(core);
                }
                return true;
            case Phase::brought:
                if (!wait(core, transfer_in)) return false;
                if (!double_) {
                    core.phase = Phase::bring;
                    return true;
                }
                if (!wait(core, out_slot(core))) return false;  // the buffer to be filled is still on its way out
                bring_ahead(number);
                begin_computation(core);
                return true;
            case Phase::compute:
                compute_some(number);
                return true;
            case Phase::loaded:
                if (!wait(core, direct_load)) return false;
                core.phase = Phase::compute;
                compute(core, core.piece);
                return true;
            case Phase::send:
                if (double_) {
                    send_all(number);
                } else if (bring_or_send_one(number, true)) {
                    core.phase = Phase::sent;
                    return true;
                }
                ++core.round;
                begin_round(core);
                return true;
            case Phase::sent:
                if (!wait(core, transfer_out)) return false;
                core.phase = Phase::send;
                return true;
            case Phase::drain:
                if (!wait(core, transfer_out) || !wait(core, transfer_out_other)) return false;
                core.phase = Phase::finished;
                return true;
            case Phase::finished:
                return false;
        }
        return false;
    }

    // One buffer: the transfers of a round one after another. False when none is left.
    bool bring_or_send_one(std::uint32_t number, bool out) {
        Core& core = cores_[number];
        const Program& program = this->program(core);
        while (core.transfer < program.transfers.size()) {
            const Transfer& transfer = program.transfers[core.transfer++];
            if (transfer.out != out) continue;
            const std::uint64_t moved = transfer.transactions * share(transfer.count, program.rounds, core.round, !out);
            if (moved == 0) continue;
            ask(number, moved, out ? transfer_out : transfer_in);
            return true;
        }
        return false;
    }

    // Two buffers: the transfers of a round at once, before they are needed and without waiting.
    std::uint64_t all_of(const Program& program, std::uint64_t round, bool out) const {
        std::uint64_t moved = 0;
        for (const Transfer& transfer : program.transfers)
            if (transfer.out == out)
                moved += transfer.transactions * share(transfer.count, program.rounds, round, !out);
        return moved;
    }

    void bring_all(std::uint32_t number, std::size_t part, std::uint64_t round) {
        const Program& program = programs_[(*cores_[number].sequence)[part]];
        const std::uint64_t moved = all_of(program, round, false);
        if (moved > 0) ask(number, moved, transfer_in);
    }

    void bring_ahead(std::uint32_t number) {
        Core& core = cores_[number];
        Core ahead = core;
        ++ahead.round;
        begin_round(ahead);
        core.prefetched = !at_end(ahead);
        if (core.prefetched) bring_all(number, ahead.part, ahead.round);
    }

    static Slot out_slot(const Core& core) { return core.second ? transfer_out_other : transfer_out; }

    void send_all(std::uint32_t number) {
        Core& core = cores_[number];
        const std::uint64_t moved = all_of(program(core), core.round, true);
        if (moved == 0) return;
        ask(number, moved, out_slot(core));
        core.second = !core.second;
    }

    // With direct loads, each is followed by its piece of the computation.
    void begin_computation(Core& core) const {
        const Program& program = this->program(core);
        core.loads_left = share(program.direct_loads, program.rounds, core.round, false);
        const double all = program.compute / static_cast<double>(program.rounds);
        core.piece = core.loads_left > 0 ? exact(all / static_cast<double>(core.loads_left)) : 0.0;
        if (core.loads_left == 0) compute(core, exact(all));
        core.phase = Phase::compute;
    }

    static void compute(Core& core, double cycles) {
        core.compute += cycles;
        core.now += cycles;
    }

    void compute_some(std::uint32_t number) {
        Core& core = cores_[number];
        core.transfer = 0;
        core.phase = core.loads_left > 0 ? Phase::loaded : Phase::send;
        if (core.loads_left == 0) return;
        --core.loads_left;
        ask(number, 1, direct_load);
    }

    Result result() const {
        Result result;
        result.transactions = served_;
        result.busy = static_cast<double>(served_) * memory_.service;
        for (const Core& core : cores_) {
            result.finished.push_back(core.now);
            if (core.now < result.cycles) continue;
            result.cycles = core.now;
            result.compute = core.compute;
            result.transfer_wait = core.transfer_wait;
            result.load_wait = core.load_wait;
        }
        return result;
    }

    const Memory memory_;
    const std::vector<Program>& programs_;
    const bool double_;
    std::vector<Controller> controllers_;
    std::vector<Core> cores_;
    std::vector<Request> requests_;
    std::vector<std::uint32_t> unused_;
    std::vector<Arrival> arrivals_;
    std::uint64_t served_ = 0, age_ = 0, order_ = 0;
};

}  // namespace

Result simulate(const Memory& memory, const std::vector<Program>& programs, const std::vector<Sequence>& cores,
                bool double_buffer) {
    return Simulation(memory, programs, cores, double_buffer).run();
}

}  // namespace foretell::swsim
