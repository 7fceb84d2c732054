// Times at which an out-of-order core issues, executes and retires a stream of instructions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "incore/ooo_core.hpp"
#include "incore/ooo_core_state.hpp"

namespace foretell::ooo_core {

inline constexpr double kQueue = 12;  // cycles that fetch may run ahead of issue

struct Ready {
    double near = 0, far = 0;
    int port = -1;
};

struct Busy {  // cycles until now, and those of loads and stores
    double time = 0, loading = 0, storing = 0;
};

// Timing of an instruction stream on the core.
class Timing {
public:
    Timing(const Code& code, const Core& core, std::int64_t registers)
        : code_(code),
          core_(core),
          ports_(code.units),
          ready_(static_cast<std::size_t>(registers)),
          retired_(static_cast<std::size_t>(core.reorder)),
          committed_(static_cast<std::size_t>(core.stores)),
          loaded_(static_cast<std::size_t>(std::max<std::int64_t>(core.loads, 1))),
          renamed_(static_cast<std::size_t>(std::max<std::int64_t>(core.vectors, 1))),
          scheduler_(core.scheduler),
          store_scheduler_(core.store_scheduler),
          stored_(core.stores),
          line_(static_cast<std::uint64_t>(core.line)),
          line_bits_(std::has_single_bit(line_) ? std::countr_zero(line_) : -1) {
        for (const Instruction& one : code.instructions)
            while (cycles_.size() <= one.slots) cycles_.push_back(static_cast<double>(cycles_.size()) / core.width);
    }

    double issue(const Instruction& one);
    void fetch(const Instruction& one);
    void execute(const Instruction& one, std::uint64_t place, double issued, double late = 0);
    void jumped(bool taken, bool foreseen, bool overrides = false);
    void pass_by(std::int64_t slots) {
        for (std::int64_t k = std::min(slots, core_.reorder); k > 0; k--) retired_.push(retire_);
    }
    double end() const { return retire_; }

    // Fraction of the time in which L1 is busy: over complete runs, or, if the code continues, without the start-up and
    // without the latency of the instructions issued last.
    double accesses(bool ended) const {
        const Busy from = ended ? Busy{} : before_, to{ended ? retire_ : issue_, loading_, storing_};
        const int ports = std::max(1, std::popcount(load_ports_));
        return std::max((to.loading - from.loading) / ports, to.storing - from.storing) /
               std::max(to.time - from.time, 1.0);
    }

    // Takes a checkpoint; to be called when the instruction count has doubled since the last one.
    void look_back() { before_ = std::exchange(half_, {issue_, loading_, storing_}); }

private:
    // Cycle at which each source register of an instruction is ready.
    template <typename Each>
    void each_read(const Instruction& one, Each look) const {
        for (std::int32_t k = one.reads.from; k < one.reads.to; k++)
            look(ready_[static_cast<std::size_t>(code_.registers[static_cast<std::size_t>(k)])]);
    }

    double all_read(const Instruction& one, double start) const {
        each_read(one, [&](const Ready& value) { start = std::max(start, value.far); });
        return start;
    }

    const Unit& unit(std::int32_t number) const { return code_.units[static_cast<std::size_t>(number)]; }

    double address_ready(const Address& from, double start) const {
        for (const std::int16_t number : {from.base, from.index})
            if (number >= 0) start = std::max(start, ready_[static_cast<std::size_t>(number)].far);
        return start;
    }

    Ready compute(const Instruction& one, const Unit& unit, double loaded, const Ready& before, double issued);
    double load(const Instruction& one, std::uint64_t place, double issued, double late);
    void store(const Instruction& one, std::uint64_t place, double issued, double data);
    void commit(const Instruction& one, std::uint64_t place);
    // Whether the renamer can follow a word in memory: its address has no index, and no register is added to it there.
    static bool is_plain(const Instruction& one) {
        return one.address.base >= 0 && one.address.index < 0 && !one.vector &&
               !(one.loads && one.stores && !one.reads.empty());
    }
    std::uint64_t line_of(std::uint64_t place) const { return line_bits_ >= 0 ? place >> line_bits_ : place / line_; }
    bool crosses(std::uint64_t place, std::int32_t bytes) const {
        return line_of(place) != line_of(place + static_cast<std::uint64_t>(std::max(bytes, 1)) - 1);
    }

    const Code& code_;
    const Core& core_;
    Ports ports_;
    std::vector<double> cycles_;  // cycles for issuing a number of slots
    std::vector<Ready> ready_;
    Ring retired_, committed_, loaded_, renamed_;  // all instructions, stores, loads, results in vector registers
    // Scheduler in which stores wait for their data: the common one, if stores have no scheduler of their own.
    Scheduler& storing() { return core_.store_scheduler > 0 ? store_scheduler_ : scheduler_; }
    Scheduler scheduler_, store_scheduler_;  // arithmetic, and stores
    Stores stored_;
    std::uint64_t line_;
    int line_bits_;  // log2 of the line, or -1
    double issue_ = 0, fetch_ = 0, retire_ = 0, commit_ = 0, done_ = 0, commit_line_ = -1;
    bool joined_ = false;
    std::int64_t fetched_ = 0;  // micro-operations of the line that is fetched
    double loading_ = 0, storing_ = 0;
    Busy half_, before_;
    std::uint64_t load_ports_ = 0;
};

// The micro-op cache delivers a line per cycle, from a jump's target on.
inline void Timing::fetch(const Instruction& one) {
    if (core_.fetch_line == 0) return;
    fetched_ += one.fetched;
    if (fetched_ <= core_.fetch_line) return;
    fetch_ = std::max(fetch_ + 1, issue_ - kQueue);
    fetched_ = one.fetched;
}

inline double Timing::issue(const Instruction& one) {
    fetch(one);
    double earliest = std::max(issue_, fetch_);
    if (one.slots > 0) earliest = std::max(earliest, retired_.before(one.slots - 1U));
    if (one.stores) earliest = std::max(earliest, committed_.before(0));
    if (one.loads && core_.loads > 0) earliest = std::max(earliest, loaded_.before(0));
    if (one.vector && core_.vectors > 0) earliest = std::max(earliest, renamed_.before(0));
    if (!one.units.empty()) earliest = scheduler_.place(earliest);
    if (one.stores) earliest = storing().place(earliest);
    issue_ = earliest + cycles_[one.slots];
    return static_cast<double>(downwards(earliest));
}

// `late`: further cycles until the line of a load is in L1.
inline void Timing::execute(const Instruction& one, std::uint64_t place, double issued, double late) {
    const double loaded = one.loads ? load(one, place, issued, late) : issued;
    Ready result{loaded, loaded, -1};
    if (one.passed_on && one.reads.to - one.reads.from == 1)
        each_read(one, [&](const Ready& value) { result = value; });
    for (std::int32_t k = one.units.from; k < one.units.to; k++) result = compute(one, unit(k), loaded, result, issued);
    if (one.stores) store(one, place, issued, one.units.empty() ? all_read(one, result.far) : result.far);
    done_ = std::max(result.near, issued + 1);
    for (std::int32_t k = one.writes.from; k < one.writes.to; k++)
        ready_[static_cast<std::size_t>(code_.registers[static_cast<std::size_t>(k)])] = result;
    retire_ = std::max(retire_, done_);
    for (int k = one.slots; k > 0; k--) retired_.push(retire_);
    if (one.loads) loaded_.push(retire_);
    if (one.vector) renamed_.push(retire_);
    if (one.stores) commit(one, place);
}

// A micro-operation that depends on another of the same instruction.
inline Ready Timing::compute(const Instruction& one, const Unit& unit, double loaded, const Ready& before,
                             double issued) {
    double start = std::max(loaded, before.far);
    const bool adds = unit.near != unit.far;  // takes the results of its like earlier
    if (unit.wait > 0) {
        each_read(one, [&](const Ready& value) {
            const bool forwarded = value.port >= 0 && (unit.ports >> value.port & 1) != 0;
            start = std::max(start, forwarded ? value.near : value.far + unit.wait);
        });
    } else {
        each_read(one, [&](const Ready& value) { start = std::max(start, adds ? value.near : value.far); });
    }
    const auto at = ports_.book(unit, start, issued);
    scheduler_.add(at.second);
    return {at.second + unit.near, at.second + unit.far, at.first};
}

inline double Timing::load(const Instruction& one, std::uint64_t place, double issued, double late) {
    const double start = address_ready(one.address, issued);
    const Unit& way = unit(crosses(place, one.address.bytes) ? one.across : one.load);
    const auto at = ports_.book(way, start, issued);
    loading_ += way.busy;
    load_ports_ |= way.ports;
    double value = at.second + way.near + late, renamed = -1;
    const auto bytes = static_cast<std::uint64_t>(one.address.bytes);
    const bool renames = core_.renames > 0 && is_plain(one);
    stored_.each(place, bytes, at.second, [&](const Waiting& before) {
        const bool meets = before.address < place + bytes && place < before.address + before.bytes;
        if (!meets) {
            value = std::max(value, at.second + way.near + core_.alias);
        } else if (before.address <= place && place + bytes <= before.address + before.bytes) {
            value = std::max(value, before.data + (one.vector ? core_.forward_vector : core_.forward));
            if (renames && before.plain) renamed = std::max(issued, before.data);
        } else {
            value = std::max(value, before.commit + core_.blocked);
        }
    });
    return renamed >= 0 ? renamed : value;
}

inline void Timing::store(const Instruction& one, std::uint64_t place, double issued, double data) {
    double start = address_ready(one.address, issued);
    if (one.store_address >= 0) start = ports_.book(unit(one.store_address), start, issued).second;
    const auto at = ports_.book(unit(one.store), std::max(start, data), issued);
    storing().add(at.second);
    stored_.add(place, static_cast<std::uint64_t>(one.address.bytes), at.second, is_plain(one));
}

// Commits in order, after retirement: one line per cycle, two stores if both are to the same line.
inline void Timing::commit(const Instruction& one, std::uint64_t place) {
    const double line = static_cast<double>(line_of(place));
    const bool split = crosses(place, one.address.bytes);
    const bool joins = !split && line == commit_line_ && !joined_;
    const double takes = split ? core_.commit_across : joins ? 0 : 1;
    commit_ = std::max(commit_ + takes, retire_ + 1);
    storing_ += takes;
    commit_line_ = split ? -1 : line;
    joined_ = joins;
    committed_.push(commit_);
    stored_.commit(commit_);
}

inline void Timing::jumped(bool taken, bool foreseen, bool overrides) {
    // A mispredicted jump: nothing is fetched until it was executed, and the pipeline is filled again (`miss` cycles).
    // The target of a taken jump is fetched a cycle later, but possibly long before it can issue.
    if (taken || !foreseen || overrides) fetched_ = 0;
    if (!foreseen) fetch_ = done_ + core_.miss;
    else if (taken || overrides)
        fetch_ = std::max(fetch_ + (taken ? 1 : 0) + (overrides ? core_.override : 0), issue_ - kQueue);
}

}  // namespace foretell::ooo_core
