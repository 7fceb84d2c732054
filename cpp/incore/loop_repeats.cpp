// Iterations of a followed call that are counted without executing them.
#include <utility>

#include "incore/whole_call_state.hpp"

namespace foretell::ooo_core {

double Call::weight_at(std::int32_t loop) const {
    double weight = frame_weight_;
    for (; loop >= 0; loop = loops_.parents[static_cast<std::size_t>(loop)])
        weight *= active_[static_cast<std::size_t>(loop)].weight;
    return weight;
}

void Call::arrive(std::size_t loop, bool inside) {
    Active& active = active_[loop];
    clock_++;
    if (!inside) {
        if (strides_) strides_->enter(loop, weight_at(loops_.parents[loop]));
        exits_[loop] += weight_at(loops_.parents[loop]);
        active.generation = ++generation_;
        active.iteration = active.changed = 0;
        active.alike = active.base = active.opened = active.called = active.rest = active.watched = -1;
        active.weight = 1;
        active.words.clear();
        active.before.clear();
        if (active.entries++ >= active.next_window && active.windows < limits_.windows_of_loop && window_ == 0 &&
            timed_instructions_ < limits_.timed && !timing_now_) {
            window_ = limits_.window, warm_ = limits_.warm_up;
            active.windows++;
            active.next_window = 2 * active.entries;
        }
    } else {
        active.iteration++;
    }
    watch_registers(active, loop);
    if (timing_now_ || !inside) return;
    if (active.rest >= 0) finish_sample(loop);
    if (window_ > 0) return;
    const std::int64_t before = active.iteration;
    if (inner_[loop]) skip(loop);
    if (sampling_ && active.iteration == before && (!inner_[loop] || active.iteration > kUneven)) sample(loop);
}

void Call::watch_registers(Active& active, std::size_t loop) {
    const std::vector<std::int16_t>& live = live_[loop];
    if (active.before.size() != live.size()) {
        active.before.resize(live.size()), active.steps.assign(live.size(), 0);
        for (std::size_t k = 0; k < live.size(); k++) active.before[k] = state_->value(live[k]);
        active.alike = -1;
        return;
    }
    bool same = true;
    for (std::size_t k = 0; k < live.size(); k++) {
        const Value now = state_->value(live[k]);
        Value& before = active.before[k];
        const std::uint64_t step = now.bits - before.bits;
        if (now.known != before.known || (now.known && step != active.steps[k])) same = false;
        if (now.known) active.steps[k] = step;
        before = now;
    }
    active.alike = same ? active.alike + 1 : 0;
    if (!same) active.changed = active.iteration;
}

// Iterations from `now` on until a condition changes; 0 where that is not known.
std::int64_t Call::until_change(const Seen& seen, std::int64_t now) const {
    if (!seen.solvable) return (seen.step_a | seen.step_b) != 0 ? 0 : kEndless;
    const auto gone = static_cast<std::uint64_t>(now - 1 - seen.iteration);
    return Outcome(seen.condition, seen.a + gone * seen.step_a, seen.b + gone * seen.step_b, seen.step_a, seen.step_b,
                   seen.bits)
        .changes_after();
}

// Iterations that will repeat those since `since`: 0 where that is not known.
std::int64_t Call::repeats(std::size_t loop, std::int64_t since) const {
    const Active& active = active_[loop];
    std::int64_t most = kEndless;
    for (const std::size_t row : rows_of_[loop]) {
        const Seen& seen = seen_[row];
        most = std::min(most, until_end(row));
        if (seen.generation != active.generation || seen.iteration < since) continue;
        if (seen.times < 2 || seen.twice) return 0;
        if (seen.kind != Seen::Kind::kCondition) continue;
        const std::int64_t changes = until_change(seen, active.iteration);
        if (changes <= 0) return 0;
        if (changes != kEndless) most = std::min(most, changes - 1);
    }
    return most;
}

// Iterations that a loop goes on, whatever happens within them: 0 where that is not known.
std::int64_t Call::rounds_left(std::size_t loop) const {
    const Active& active = active_[loop];
    std::int64_t most = kEndless;
    for (const std::size_t row : rows_of_[loop]) {
        const Seen& seen = seen_[row];
        most = std::min(most, until_end(row));
        if (!leaves_[row] || seen.generation != active.generation) continue;
        if (seen.kind != Seen::Kind::kCondition || seen.iteration + 1 < active.iteration) continue;
        if (seen.times < 2 || seen.twice) return 0;
        const std::int64_t changes = until_change(seen, active.iteration);
        if (changes <= 0) return 0;
        if (changes != kEndless) most = std::min(most, changes - 1);
    }
    return most;
}

// Moves a loop forward by iterations that repeat the last one.
void Call::advance(std::size_t loop, std::int64_t times) {
    Active& active = active_[loop];
    const auto by = static_cast<std::uint64_t>(times);
    for (std::size_t k = 0; k < live_[loop].size(); k++) {
        if (!active.before[k].known) continue;
        active.before[k].bits += by * active.steps[k];
        state_->set(live_[loop][k], active.before[k]);
    }
    for (const std::size_t row : rows_of_[loop]) {
        Seen& seen = seen_[row];
        if (mean_rounds_[row] > 0 && stamp_[row] + 1 == clock_) rounds_left_[row] -= times;
        if (seen.generation != active.generation) continue;
        if (seen.kind == Seen::Kind::kStore && seen.iteration + 1 == active.iteration) {
            auto& words = state_->words();
            if (seen.step_a == 0) {
                if (const auto found = words.find(static_cast<std::int64_t>(seen.a)); found != words.end())
                    found->second += by * seen.step_b;
            } else if (!words.empty()) {
                const auto first = static_cast<std::int64_t>(seen.a),
                           last = static_cast<std::int64_t>(seen.a + by * seen.step_a);
                if (std::max(first, last) >= least_word_ && std::min(first, last) <= most_word_)
                    std::erase_if(words, [&](const auto& word) {
                        return word.first >= std::min(first, last) && word.first <= std::max(first, last);
                    });
            }
        }
        seen.a += by * seen.step_a, seen.b += by * seen.step_b, seen.iteration += times;
    }
    active.iteration += times, active.changed += times, active.base += times;
    if (active.opened >= 0) active.opened += times;
}

// An innermost loop whose iterations repeat: counts them without executing them.
void Call::skip(std::size_t loop) {
    Active& active = active_[loop];
    const bool open = active.opened >= 0;
    const std::int64_t needed = open ? kOpenAlike : kAlike, alike = active.iteration - active.changed;
    if (open && active.base < active.changed) {  // begin to count anew
        active.base = active.iteration;
        active.base_counts.resize(rows_of_[loop].size());
        for (std::size_t k = 0; k < rows_of_[loop].size(); k++) active.base_counts[k] = counts_[rows_of_[loop][k]];
        return;
    }
    if (active.alike < kAlike || alike < needed || active.called >= active.changed ||
        (open && active.iteration - active.base < kOpenAlike))
        return;
    const std::int64_t times = repeats(loop, open ? active.base : active.iteration - 1);
    if (times <= 0 || times == kEndless) return;
    const double weight = weight_at(static_cast<std::int32_t>(loop)), more = static_cast<double>(times);
    const double since = static_cast<double>(active.iteration - active.base);
    for (std::size_t k = 0; k < rows_of_[loop].size(); k++) {
        const std::size_t row = rows_of_[loop][k];
        if (open) {
            counts_[row] += more * (counts_[row] - active.base_counts[k]) / since;
        } else if (stamp_[row] + 1 == clock_) {
            counts_[row] += weight * more;
        }
    }
    advance(loop, times);
    if (open) active.base = active.iteration - static_cast<std::int64_t>(since);
}

// Follows the words of memory over consecutive iterations; whether that is enough to know how they go on.
bool Call::watch_words(Active& active) {
    const auto& words = state_->words();
    if (words.size() > kMostWords) return false;
    if (active.watched + 1 != active.iteration) active.words.clear(), active.watches = 0;
    active.watched = active.iteration;
    for (const auto& [address, value] : words) {
        auto [found, fresh] = active.words.try_emplace(address, Word{value, 0, 0});
        if (fresh) continue;
        const std::uint64_t step = value - found->second.value;
        found->second = {value, step, step == found->second.step ? found->second.alike + 1 : 0};
    }
    return ++active.watches >= kWatches;
}

// Moves a loop forward, and its words of memory with it; those that do not go on by constants are forgotten.
void Call::move_on(std::size_t loop, std::int64_t times) {
    if (times <= 0) return;
    Active& active = active_[loop];
    advance(loop, times);
    active.watched = active.iteration;
    auto& words = state_->words();
    for (auto& [address, word] : active.words) {
        const auto found = words.find(address);
        if (found == words.end()) continue;
        if (word.alike < 1) words.erase(found);
        else found->second = word.value += static_cast<std::uint64_t>(times) * word.step;
    }
}

// The iterations after a sample that it represents as well.
void Call::finish_sample(std::size_t loop) {
    Active& active = active_[loop];
    watch_words(active);
    move_on(loop, std::min(std::exchange(active.rest, -1), rounds_left(loop)));
    active.weight = 1;
}

// A loop of a long call: executes some of the iterations that are left, each in the middle of those it represents.
void Call::sample(std::size_t loop) {
    Active& active = active_[loop];
    if (active.watched != active.iteration && !watch_words(active)) return;
    if (active.watches < kWatches || active.alike < 1) return;
    const std::int64_t remaining = rounds_left(loop);
    if (remaining == kEndless || remaining < kWorthSampling) return;
    const std::int64_t represented = remaining / kSamples;
    // the remainders of vector loops follow the iteration's number: samples take all in turn
    const std::int64_t aside = represented >= 2 * kResidues ? active.samples++ % kResidues - kResidues / 2 : 0;
    const std::int64_t ahead = represented / 2 + aside;
    move_on(loop, ahead);
    active.rest = represented - ahead - 1;
    active.weight = static_cast<double>(represented);
}

}  // namespace foretell::ooo_core
