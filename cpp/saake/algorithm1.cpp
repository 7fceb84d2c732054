#include "saake/algorithm1.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace foretell::emulate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double latest_cycle = 9007199254740992.0;  // 2^53

struct Warp {
    std::size_t next = 0;      // position in the order
    double earliest = 0;       // earl_t: when its current instruction can issue, as last computed
    double released = 0;       // no issue before this time: the last barrier's release
    double last_finish = 0;    // of its latest instruction
    double latest_finish = 0;  // of all its instructions
    bool waiting = false;      // at a barrier
};

struct Block {
    std::size_t first = 0, size = 0, arrived = 0;
    std::size_t ended = 0;  // warps that have issued their last instruction
};

struct Scheduler {
    double time = 0;
    std::size_t current = 0;  // warp
    std::size_t issued = 0;   // instructions in this cycle
    bool asleep = false;      // no warp can continue before another scheduler's warp reaches a barrier
};

struct Pipe {
    double admit = -infinity;       // pipe_admit
    double last_entry = -infinity;  // of the latest request
    double printed_start = 0;       // start[r] of line 25
    double printed_start_unbounded = -infinity;
};

class Emulator {
public:
    Emulator(const Program& program, const Machine& machine, const Rules& rules, std::size_t warps,
             std::size_t warps_per_block, std::size_t blocks, bool trace, std::size_t most_steps)
        : steps_left_(most_steps),
          program_(program),
          machine_(machine),
          rules_(rules),
          trace_(trace),
          warps_(warps),
          schedulers_(std::min(machine.schedulers, warps)),
          pipes_(machine.resources),
          finish_(warps * program.text.size(), -infinity) {
        for (std::size_t first = 0; first < warps; first += warps_per_block)
            blocks_.push_back({first, std::min(warps_per_block, warps - first), 0, 0});
        block_of_.resize(warps);
        for (std::size_t w = 0; w < warps; ++w) block_of_[w] = w / warps_per_block;
        for (std::size_t s = 0; s < schedulers_.size(); ++s) schedulers_[s].current = s;
        std::int32_t regions = 0;
        for (const Instruction& i : program.text) regions = std::max(regions, i.region + 1);
        miss_credit_.assign(regions, 0.0);
        result_.requests.assign(machine.resources, 0.0);
        result_.busy = result_.printed_busy = result_.printed_busy_unbounded = result_.requests;
        queued_ = std::max(blocks, blocks_.size()) - blocks_.size();
        remaining_ = (warps + queued_ * warps_per_block) * program.order.size();
    }

    Result run() {
        while (remaining_ > 0) {
            spend(schedulers_.size());
            step(earliest_scheduler());
        }
        for (const Warp& warp : warps_) account_for(warp);
        return std::move(result_);
    }

private:
    void spend(std::size_t steps) {
        if (steps > steps_left_) throw std::length_error("too many steps");
        steps_left_ -= steps;
    }

    void account_for(const Warp& warp) {
        result_.cycles = std::max(result_.cycles, rules_.all_instructions ? warp.latest_finish : warp.last_finish);
    }

    Scheduler& earliest_scheduler() {
        Scheduler* best = nullptr;
        for (Scheduler& s : schedulers_)
            if (!s.asleep && (best == nullptr || s.time < best->time)) best = &s;
        return *best;  // while instructions remain, some warp can continue
    }

    void step(Scheduler& s) {
        Warp& warp = warps_[s.current];
        warp.earliest = earliest(s.current, s.time);
        if (warp.earliest <= s.time) {
            issue(s);
        } else if (s.issued > 0) {  // the other slots of this cycle are lost: one warp issues in a cycle
            next_cycle(s);
        } else {
            choose(s);
        }
    }

    double earliest(std::size_t w, double now) const {
        const Warp& warp = warps_[w];
        if (warp.waiting || warp.next == program_.order.size()) return infinity;
        const std::int32_t i = program_.order[warp.next];
        double ready = std::max(now, warp.released);
        for (const std::int32_t p : program_.text[i].after) ready = std::max(ready, finish_of(w, p));
        return ready;
    }

    // Lines 19-20: selects another warp, and advances the clock to its ready time.
    void choose(Scheduler& s) {
        const std::size_t first = &s - schedulers_.data();
        spend(warps_.size() / schedulers_.size());
        std::size_t best = first;
        for (std::size_t w = first; w < warps_.size(); w += schedulers_.size()) {
            if (rules_.oldest && warps_[w].earliest <= s.time) {
                best = w;
                break;
            }
            if (warps_[w].earliest < warps_[best].earliest) best = w;
        }
        const double ready = warps_[best].earliest;
        if (ready == infinity) {
            s.asleep = true;
            return;
        }
        s.current = best;
        s.time = rules_.clock_never_falls ? std::max(s.time, ready) : ready;
    }

    void issue(Scheduler& s) {
        const std::size_t w = s.current;
        Warp& warp = warps_[w];
        const std::int32_t i = program_.order[warp.next++];
        --remaining_;
        ++result_.instructions;
        if (program_.text[i].resource == barrier) arrive(w, i, s.time);
        else execute(w, i, s.time);
        if (++s.issued == machine_.issue_width) next_cycle(s);
        if (warp.next == program_.order.size()) end(blocks_[block_of_[w]]);
    }

    // Ends a block whose last warp has issued its last instruction: the next block starts when all results are
    // available.
    void end(Block& block) {
        if (++block.ended < block.size || queued_ == 0) return;
        --queued_;
        block.ended = 0;
        double freed = 0;
        for (std::size_t w = block.first; w < block.first + block.size; ++w)
            freed = std::max(freed, warps_[w].latest_finish);
        for (std::size_t w = block.first; w < block.first + block.size; ++w) {
            account_for(warps_[w]);
            warps_[w] = Warp{};
            warps_[w].released = warps_[w].earliest = freed;
            std::fill_n(finish_.begin() + w * program_.text.size(), program_.text.size(), -infinity);
            schedulers_[w % schedulers_.size()].asleep = false;
        }
    }

    static void next_cycle(Scheduler& s) {
        s.time += 1;
        s.issued = 0;
    }

    void execute(std::size_t w, std::int32_t i, double now) {  // lines 22-26
        const Instruction& instruction = program_.text[i];
        const std::int32_t r = resource_of(instruction);
        const std::size_t entry = instruction.region * machine_.resources + r;
        const double latency = machine_.latency[entry], gap = machine_.gap[entry], k = instruction.transactions;
        Pipe& pipe = pipes_[r];
        const double start = std::max(now, pipe.admit);
        const double finish = start + (k - 1) * gap + latency;
        if (!(finish + gap < latest_cycle)) throw std::overflow_error("a time beyond 2^53 cycles");
        pipe.admit = start + k * gap;
        account(r, now, start, latency, gap, k);
        finished(w, i, finish);
        if (trace_) result_.trace.push_back({index(w), i, r, now, start, finish, pipe.admit});
    }

    void account(std::int32_t r, double now, double start, double latency, double gap, double k) {
        Pipe& pipe = pipes_[r];
        result_.requests[r] += k;
        result_.busy[r] += std::min(start - pipe.last_entry, latency) + (k - 1) * std::min(gap, latency);
        pipe.last_entry = start + (k - 1) * gap;
        result_.printed_busy[r] += std::min(now - pipe.printed_start, latency);
        result_.printed_busy_unbounded[r] += std::min(now - pipe.printed_start_unbounded, latency);
        pipe.printed_start = pipe.printed_start_unbounded = now;
    }

    // Distributes hits and misses by error diffusion over the dynamic accesses of a region: deterministic.
    std::int32_t resource_of(const Instruction& instruction) {
        if (instruction.cached < 0) return instruction.resource;
        const double rate = rules_.misses_to_memory ? instruction.miss_rate : 1 - instruction.miss_rate;
        double& credit = miss_credit_[instruction.region];
        credit += rate;
        if (credit < 1 - 1e-9) return instruction.cached;
        credit -= 1;
        return instruction.resource;
    }

    void arrive(std::size_t w, std::int32_t i, double now) {
        Block& block = blocks_[block_of_[w]];
        warps_[w].waiting = true;
        finished(w, i, now);
        if (trace_) result_.trace.push_back({index(w), i, barrier, now, now, now, now});
        if (++block.arrived < block.size) return;
        double release = 0;
        for (std::size_t x = block.first; x < block.first + block.size; ++x)
            release = std::max(release, warps_[x].latest_finish);
        for (std::size_t x = block.first; x < block.first + block.size; ++x) {
            warps_[x].waiting = false;
            warps_[x].released = release;
            if (warps_[x].next < program_.order.size()) warps_[x].earliest = release;
            schedulers_[x % schedulers_.size()].asleep = false;
        }
        block.arrived = 0;
    }

    void finished(std::size_t w, std::int32_t i, double when) {
        finish_[w * program_.text.size() + i] = when;
        warps_[w].last_finish = when;
        warps_[w].latest_finish = std::max(warps_[w].latest_finish, when);
    }

    double finish_of(std::size_t w, std::int32_t i) const { return finish_[w * program_.text.size() + i]; }
    static std::int32_t index(std::size_t n) { return static_cast<std::int32_t>(n); }

    std::size_t steps_left_;
    const Program& program_;
    const Machine& machine_;
    const Rules rules_;
    const bool trace_;
    std::vector<Warp> warps_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> block_of_;
    std::vector<Scheduler> schedulers_;
    std::vector<Pipe> pipes_;
    std::vector<double> finish_;  // of the latest execution: [warp][instruction]
    std::vector<double> miss_credit_;
    std::size_t remaining_ = 0;
    std::size_t queued_ = 0;  // blocks that wait for residency
    Result result_;
};

// Minimum latency of any execution of an instruction, and the resource that causes it.
double least_latency(const Instruction& instruction, const Machine& machine, std::int32_t& resource) {
    const std::size_t row = instruction.region * machine.resources;
    const auto cycles = [&](std::int32_t r) {
        return machine.latency[row + r] + (instruction.transactions - 1) * machine.gap[row + r];
    };
    resource = instruction.resource;
    if (instruction.cached >= 0 && cycles(instruction.cached) < cycles(resource)) resource = instruction.cached;
    return cycles(resource);
}

}  // namespace

Result run(const Program& program, const Machine& machine, const Rules& rules, std::size_t warps,
           std::size_t warps_per_block, std::size_t blocks, bool trace, std::size_t most_steps) {
    return Emulator(program, machine, rules, warps, warps_per_block, blocks, trace, most_steps).run();
}

double critical_path(const Program& program, const Machine& machine, std::vector<double>& share) {
    const std::size_t resources = machine.resources;
    struct Chain {
        double end = -infinity;
        std::vector<double> share;
    };
    std::vector<Chain> latest(program.text.size());
    Chain released{0, std::vector<double>(resources, 0.0)}, longest = released;
    for (const std::int32_t i : program.order) {
        const Instruction& instruction = program.text[i];
        const Chain* from = &released;
        for (const std::int32_t p : instruction.after)
            if (latest[p].end > from->end) from = &latest[p];
        if (instruction.resource == barrier) {
            released = longest;
            latest[i] = longest;
            continue;
        }
        Chain here = *from;
        std::int32_t r;
        const double cycles = least_latency(instruction, machine, r);
        here.end += cycles;
        here.share[r] += cycles;
        if (here.end > longest.end) longest = here;
        latest[i] = std::move(here);
    }
    share = longest.share;
    return longest.end;
}

}  // namespace foretell::emulate
