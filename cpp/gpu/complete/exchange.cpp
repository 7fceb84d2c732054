// Operations that move values between lanes, and special registers.
#include "gpu/complete/memory/access.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {
namespace {

void write_everywhere(Worker& w, const Dense& d, std::uint32_t value, Mask m) {
    for (int l = 0; l < lanes; ++l)
        if (m >> l & 1) w.destination(d)[l] = value;
}

}  // namespace

void nothing(Worker&, const Dense&, Mask) {}

void shuffle(Worker& w, const Dense& d, Mask m) {
    const std::uint32_t *from = w.source(d, 0), *by = w.source(d, 1), *limits = w.source(d, 2);
    Row result;
    Mask inside = 0;
    for (int l = 0; l < lanes; ++l) {
        const semantics::LaneSource source = semantics::shuffle_source(d.mode, l, by[l], limits[l]);
        result.v[l] = from[source.lane];
        inside |= static_cast<Mask>(source.valid) << l;
    }
    blend(w.destination(d), result.v, m);
    w.write(d.written[0], inside, m);
}

void vote(Worker& w, const Dense& d, Mask m) {
    const Mask executed = d.uniform ? w.active : m, ballot = w.truth(d.read[0]) & executed;
    const bool outcome = d.mode == 1   ? ballot != 0
                         : d.mode == 2 ? ballot == 0 || ballot == executed
                                       : ballot == executed;
    write_everywhere(w, d, ballot, m);
    w.write(d.written[0], outcome ? all_lanes : 0, d.uniform ? all_lanes : m);
}

void match(Worker& w, const Dense& d, Mask m) {
    const std::uint32_t *low = w.source(d, 0), *high = d.is_64 ? w.source_row(d, 0, 1) : low;
    Row result;
    bool same = true;
    const auto compared = static_cast<std::uint64_t>(std::popcount(m));
    w.count_work(compared * compared);
    each(m, [&](int l) {
        Mask equal = 0;
        each(m,
             [&](int other) { equal |= static_cast<Mask>(low[l] == low[other] && high[l] == high[other]) << other; });
        result.v[l] = equal;
        same = same && equal == m;
    });
    if (d.mode == 0) {  // ALL
        for (std::uint32_t& v : result.v) v = same ? m : 0;
        w.write(d.written[0], same ? all_lanes : 0, m);
    }
    blend(w.destination(d), result.v, m);
}

// REDUX: to a uniform register.
void reduce(Worker& w, const Dense& d, Mask) {
    const std::uint32_t* from = w.source(d, 0);
    const auto how = static_cast<semantics::Atomic>(d.mode);
    const Mask m = w.active;
    std::uint32_t result = from[std::countr_zero(m)];
    each(m & (m - 1), [&](int l) { result = semantics::updated(how, result, from[l], d.is_signed); });
    write_everywhere(w, d, result, all_lanes);
}

// ELECT: of the lanes that execute it.
void elect(Worker& w, const Dense& d, Mask m) {
    const Mask executed = w.active & (w.p[d.guard] ^ d.guard_flip);
    const int first = std::countr_zero(executed);
    write_everywhere(w, d, static_cast<std::uint32_t>(first), all_lanes);
    w.write(d.written[0], Mask{1} << first, d.written[0] >= first_uniform_predicate ? all_lanes : m & executed);
}

// R2UR: of the first lane that executes.
void to_uniform(Worker& w, const Dense& d, Mask) {
    const int first = std::countr_zero(w.active);
    const std::uint32_t value = (w.source(d, 0)[first] ^ d.flip[0]) + d.plus[0];
    w.write(d.written[0], value != 0 ? all_lanes : 0, all_lanes);
    write_everywhere(w, d, value, all_lanes);
}

void query_space(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    Mask result = 0;
    Dense generic = d;
    generic.space = generic_space;
    for (int l = 0; l < lanes; ++l) result |= static_cast<Mask>(space_of(generic, address[l]) == d.mode) << l;
    w.write(d.written[0], result, m);
}

// BMOV: a convergence barrier to or from a register; CLEAR empties it.
void move_barrier(Worker& w, const Dense& d, Mask m) {
    Mask* wanted = w.warp->convergence[d.immediate];
    each(m, [&](int l) {
        if (d.flag) wanted[l] = w.source(d, 0)[l];
        else w.destination(d)[l] = wanted[l];
        if (d.other) wanted[l] = 0;
    });
}

void barrier_result(Worker& w, const Dense& d, Mask m) {
    write_everywhere(w, d, w.warp->barrier_count, m);
    w.write(d.written[0], w.warp->barrier_truth ? all_lanes : 0, m);
}

void program_counter(Worker& w, const Dense& d, Mask m) {
    write_everywhere(w, d, d.immediate, m);
    each(m, [&](int l) { w.destination(d, 1)[l] = 0; });
}

namespace {

// A round of a wait for a clock: of the time waited until now another 1/32 passes at once, so that a wait of 10^9 cycles takes
// 500 rounds, and ends that much too late at most.
constexpr std::uint64_t first_rounds = 16, part_of_wait = 32;

void pass_time(Worker& w, Wait how) {
    Warp& warp = *w.warp;
    if (how == Wait::none) {
        warp.rounds = 0;  // the beginning of a wait, or another measurement
        return;
    }
    const std::uint64_t now = w.clock + w.ahead;
    if (how == Wait::follows) return;
    if (warp.rounds++ == 0) warp.waiting_since = now;
    if (warp.rounds <= first_rounds) return;
    const std::uint64_t more = (now - warp.waiting_since) / part_of_wait;
    w.ahead += more;
    warp.passed += more;
}

std::uint64_t nanoseconds(const Worker& w) {
    return static_cast<std::uint64_t>(static_cast<double>(w.clock + w.ahead) / w.launch->clock_ghz);
}

bool is_clock(std::uint32_t which) {
    using namespace functional;
    return which == clock_low || which == clock_high || which == timer_low || which == timer_high;
}

// The clock counts instructions of the worker, and what passed in waits: it advances, and is no measure of other time.
std::uint64_t special(const Worker& w, int which, int lane) {
    using namespace functional;
    const auto &block = w.launch->block, &at = w.block->index;
    const std::uint32_t thread = w.warp->number * lanes + static_cast<std::uint32_t>(lane), own = 1u << lane,
                        less = own - 1;
    switch (which) {
        case tid_x: return thread % block[0];
        case tid_y: return thread / block[0] % block[1];
        case tid_z: return thread / block[0] / block[1];
        case ctaid_x: return at[0];
        case ctaid_y: return at[1];
        case ctaid_z: return at[2];
        case lane_id: return static_cast<std::uint32_t>(lane);
        case mask_equal: return own;
        case mask_less: return less;
        case mask_less_or_equal: return own | less;
        case mask_greater: return ~(own | less);
        case mask_greater_or_equal: return ~less;
        case shared_high: return shared_window >> 32;
        case warp_id: return w.warp->number;
        case clock_low: return w.clock + w.ahead;
        case clock_high: return (w.clock + w.ahead) >> 32;
        case timer_low: return nanoseconds(w);
        case timer_high: return nanoseconds(w) >> 32;
        case rank_in_cluster: return w.block->rank;
        case cluster_x: return at[0] / w.launch->cluster[0];
        case cluster_y: return at[1] / w.launch->cluster[1];
        case cluster_z: return at[2] / w.launch->cluster[2];
        default: return 0;
    }
}

}  // namespace

void read_special(Worker& w, const Dense& d, Mask m) {
    if (d.immediate == functional::other) w.fail(d, FaultKind::unsupported, std::countr_zero(m));
    if (is_clock(d.immediate)) pass_time(w, d.waits);
    const int first = std::countr_zero(w.active);
    for (int l = 0; l < lanes; ++l) {
        if (!(m >> l & 1)) continue;
        const std::uint64_t value = special(w, static_cast<int>(d.immediate), d.uniform ? first : l);
        w.destination(d)[l] = static_cast<std::uint32_t>(value);
        if (d.wide) w.destination(d, 1)[l] = static_cast<std::uint32_t>(value >> 32);
    }
}

}  // namespace foretell::complete
