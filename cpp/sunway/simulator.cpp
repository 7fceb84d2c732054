#include "sunway/simulator.hpp"

#include <algorithm>
#include <cmath>

#include "sunway/simulator_period.hpp"
#include "sunway/simulator_state.hpp"

namespace foretell::swsim {
namespace {

// Times are integer multiples of a millionth of a cycle, so that sums are exact: rounding does not affect the order of
// requests.
double exact(double cycles) {
    constexpr double ticks = 1 << 20;
    return std::round(cycles * ticks) / ticks;
}

class Simulation {
public:
    Simulation(const Memory& memory, const std::vector<Program>& programs, const std::vector<Sequence>& sequences,
               bool double_buffer)
        : memory_{exact(memory.service), exact(memory.latency), exact(memory.gap), memory.controllers},
          double_(double_buffer),
          period_(programs) {
        state_.programs = &programs;
        controllers_.resize(memory.controllers);
        cores_.resize(sequences.size());
        for (std::size_t k = 0; k < sequences.size(); ++k) {
            cores_[k].sequence = &sequences[k];
            cores_[k].address = k;  // cores work on different data: each starts at another controller
        }
    }

    Result run(std::uint64_t most) {
        for (std::uint32_t k = 0; k < cores_.size(); ++k) {
            begin_round(cores_[k]);
            advance(k);
        }
        while (state_.served < most) {
            if (observe_) period_.observe(state_);
            observe_ = false;
            Controller* controller = &controllers_[0];
            for (Controller& other : controllers_)
                if (other.start < controller->start) controller = &other;
            const double arrival = arrivals_.empty() ? never : arrivals_.front().time;
            if (controller->start < arrival) {
                serve(*controller);
            } else if (!arrivals_.empty()) {
                admit();
            } else {
                return result(true);
            }
        }
        return result(false);
    }

private:
    // ------------------------------------------------------------------------------ memory

    void admit() {
        std::pop_heap(arrivals_.begin(), arrivals_.end(), Later{});
        const Arrival arrival = arrivals_.back();
        arrivals_.pop_back();
        state_.time = arrival.time;
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
        const std::uint64_t rank = state_.age++ | (arrival.slot == direct_load ? 0 : behind_loads);
        controller.queue.insert({rank, arrival.time, number});
        controller.select();
    }

    void serve(Controller& controller) {
        const Waiting waiting = controller.queue[controller.selected];
        Request& request = requests_[waiting.request];
        const double start = state_.time = controller.start;
        controller.free = start + memory_.service;
        ++state_.served;
        ++request.next;
        if (--request.left == 0) {
            controller.queue.erase(controller.selected);
            controller.select();
            unused_.push_back(waiting.request);
            arrived(request.core, request.slot, start + memory_.latency);
            return;
        }
        Controller& following =
            controllers_.size() == 1 ? controller : controllers_[request.next % controllers_.size()];
        if (&following == &controller) {
            controller.queue[controller.selected].ready = start + memory_.gap;
        } else {
            controller.queue.erase(controller.selected);
            following.queue.insert({waiting.rank, start + memory_.gap, waiting.request});
            following.select();
        }
        controller.select();
    }

    void arrived(std::uint32_t number, Slot slot, double time) {
        Core& core = cores_[number];
        core.arrival[slot] = time;
        if (core.waits_for != slot) return;
        core.waits_for = slots;
        advance(number);
    }

    // ------------------------------------------------------------------------------ cores

    void request(std::uint32_t number, std::uint64_t transactions, Slot slot) {
        Core& core = cores_[number];
        core.arrival[slot] = never;
        arrivals_.push_back({core.now, state_.order++, transactions, number, slot});
        std::push_heap(arrivals_.begin(), arrivals_.end(), Later{});
    }

    // Whether the completion time of the request in this slot is known; the core's time is then at least that.
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

    const Program& program(const Core& core) const { return state_.program(core); }
    bool at_end(const Core& core) const { return core.part == core.sequence->size(); }

    // Skips programs without rounds.
    void begin_round(Core& core) const {
        while (!at_end(core) && core.round >= program(core).rounds) {
            ++core.part;
            core.round = 0;
        }
        core.phase = at_end(core) ? Phase::drain : Phase::fetch;
        core.transfer = 0;
    }

    // Advances the core until it must wait for an unknown event.
    void advance(std::uint32_t number) {
        Core& core = cores_[number];
        while (core.phase != Phase::finished)
            if (!step(number, core)) return;
    }

    bool step(std::uint32_t number, Core& core) {
        switch (core.phase) {
            case Phase::fetch:
                if (double_) {
                    if (!core.prefetched) fetch_all(number, core.part, core.round);
                    core.phase = Phase::fetched;
                } else if (request_one(number, false)) {
                    core.phase = Phase::fetched;
                } else {
                    begin_computation(core);
                }
                return true;
            case Phase::fetched:
                if (!wait(core, transfer_in)) return false;
                if (!double_) {
                    core.phase = Phase::fetch;
                    return true;
                }
                if (!wait(core, out_slot(core))) return false;  // the buffer to be filled is still being stored
                prefetch(number);
                begin_computation(core);
                return true;
            case Phase::compute: compute_some(number); return true;
            case Phase::loaded:
                if (!wait(core, direct_load)) return false;
                core.phase = Phase::compute;
                compute(core, core.piece);
                progressed(number);
                return true;
            case Phase::store:
                if (double_) {
                    store_all(number);
                } else if (request_one(number, true)) {
                    core.phase = Phase::stored;
                    return true;
                }
                ++core.round;
                begin_round(core);
                progressed(number);
                return true;
            case Phase::stored:
                if (!wait(core, transfer_out)) return false;
                core.phase = Phase::store;
                return true;
            case Phase::drain:
                if (!wait(core, transfer_out) || !wait(core, transfer_out_other)) return false;
                core.phase = Phase::finished;
                core.now += state_.skipped;
                return true;
            case Phase::finished: return false;
        }
        return false;
    }

    // Called when a core begins a round or has received a load. Compares states when the same core progresses, unless
    // others starve it.
    void progressed(std::uint32_t number) {
        if (number != observed_ && ++others_ <= starved * cores_.size()) return;
        observe_ = number == observed_;
        observed_ = number;
        others_ = 0;
    }

    // One buffer: issues the transfers of a round one after another. False if none is left.
    bool request_one(std::uint32_t number, bool out) {
        Core& core = cores_[number];
        const Program& program = this->program(core);
        while (core.transfer < program.transfers.size()) {
            const Transfer& transfer = program.transfers[core.transfer++];
            if (transfer.out != out) continue;
            const std::uint64_t moved = transfer.transactions * share(transfer.count, program.rounds, core.round, !out);
            if (moved == 0) continue;
            request(number, moved, out ? transfer_out : transfer_in);
            return true;
        }
        return false;
    }

    // Two buffers: issues the transfers of a round at once, before they are needed and without waiting.
    std::uint64_t all_of(const Program& program, std::uint64_t round, bool out) const {
        std::uint64_t moved = 0;
        for (const Transfer& transfer : program.transfers)
            if (transfer.out == out)
                moved += transfer.transactions * share(transfer.count, program.rounds, round, !out);
        return moved;
    }

    void fetch_all(std::uint32_t number, std::size_t part, std::uint64_t round) {
        const Program& program = (*state_.programs)[(*cores_[number].sequence)[part]];
        const std::uint64_t moved = all_of(program, round, false);
        if (moved > 0) request(number, moved, transfer_in);
    }

    void prefetch(std::uint32_t number) {
        Core& core = cores_[number];
        Core ahead = core;
        ++ahead.round;
        begin_round(ahead);
        core.prefetched = !at_end(ahead);
        if (core.prefetched) fetch_all(number, ahead.part, ahead.round);
    }

    static Slot out_slot(const Core& core) { return core.second ? transfer_out_other : transfer_out; }

    void store_all(std::uint32_t number) {
        Core& core = cores_[number];
        const std::uint64_t moved = all_of(program(core), core.round, true);
        if (moved == 0) return;
        request(number, moved, out_slot(core));
        core.second = !core.second;
    }

    // With direct loads, each is followed by its part of the computation.
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
        core.phase = core.loads_left > 0 ? Phase::loaded : Phase::store;
        if (core.loads_left == 0) return;
        --core.loads_left;
        request(number, 1, direct_load);
    }

    Result result(bool complete) const {
        Result result;
        result.complete = complete;
        result.exact = state_.exact;
        result.followed = state_.served;
        result.transactions = state_.served + state_.skipped_served;
        result.busy = static_cast<double>(result.transactions) * memory_.service;
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
    const bool double_;
    State state_;
    std::vector<Controller>& controllers_ = state_.controllers;
    std::vector<Core>& cores_ = state_.cores;
    std::vector<Request>& requests_ = state_.requests;
    std::vector<Arrival>& arrivals_ = state_.arrivals;
    std::vector<std::uint32_t> unused_;
    Period period_;
    static constexpr std::uint64_t starved = 8;  // ratio of the others' progress to the average core's
    std::uint32_t observed_ = 0;
    std::uint64_t others_ = 0;
    bool observe_ = false;
};

}  // namespace

Result simulate(const Memory& memory, const std::vector<Program>& programs, const std::vector<Sequence>& cores,
                bool double_buffer, std::uint64_t most) {
    return Simulation(memory, programs, cores, double_buffer).run(most);
}

}  // namespace foretell::swsim
