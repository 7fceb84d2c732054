// Long walks in step: all references move on by the same number of bytes.
//
// A round is as many iterations as move all of them by whole lines of every level. In every round a level is asked the
// same, `shift` bytes further on. A set that is asked at all gets a new line by the same request every `period` rounds.
// After ways × period rounds it holds lines of these rounds only, in an order that depends on nothing else; so what it
// holds, hits and gives up is the same from round to round, further on by the shift. Dirty marks are, too, once all
// lines have gone that were asked for before: a line is asked for in the course of `span` rounds. From then on the level
// need not be followed: it asks the next level what it asked in the round before, further on by the shift.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "oneway.hpp"

namespace foretell::cachesim {

// A long walk in step; whether it was one.
bool OneWay::walk_in_rounds(std::vector<Cursor>& cursors, std::uint64_t trips) {
    const std::int64_t step = cursors[0].step, line = static_cast<std::int64_t>(levels_.back().geometry.line);
    const auto other = [step](const Cursor& cursor) { return cursor.step != step; };
    if (step == 0 || std::ranges::any_of(cursors, other)) return false;
    const std::uint64_t each = line / std::gcd(step, line), rounds = trips / each;
    if (rounds <= 4 * rounds_to_fill(0, step * static_cast<std::int64_t>(each))) return false;
    const Round first = first_round(cursors, each);
    const std::uint64_t wait = settled_after(0, first, rounds);
    if (rounds <= 2 * wait) return false;
    walk(cursors, wait * each);
    drain_all();
    const Tallies before = levels_[0].tallies;
    const std::vector<std::uint64_t> accesses = accesses_;
    walk(cursors, each);
    Round round{queues_[1].waiting(), first.shift};
    const std::uint64_t rest = rounds - wait - 1;
    skip(0, first, before, rest);
    for (std::size_t k = 0; k < accesses_.size(); ++k) accesses_[k] += rest * (accesses_[k] - accesses[k]);
    for (Cursor& cursor : cursors) cursor.address += static_cast<std::int64_t>(rest) * first.shift;
    repeat(1, round, rest);
    if (trips % each) walk(cursors, trips % each);
    return true;
}

// The lines of the innermost level that so many iterations touch.
OneWay::Round OneWay::first_round(const std::vector<Cursor>& cursors, std::uint64_t trips) const {
    const Places& places = levels_[0].places;
    Round round{{}, cursors[0].step * static_cast<std::int64_t>(trips)};
    for (const Cursor& cursor : cursors) {
        for (std::uint64_t trip = 0; trip < trips; ++trip) {
            const std::uint64_t address = cursor.address + static_cast<std::int64_t>(trip) * cursor.step;
            for (Line line = places.line_of(address); line <= places.line_of(address + cursor.bytes - 1); ++line)
                round.requests.emplace_back(line, wants(cursor.reference));
        }
    }
    return round;
}

std::int64_t OneWay::lines_on(std::size_t level, const Round& round) const {
    return round.shift / static_cast<std::int64_t>(levels_[level].geometry.line);
}

// Rounds until a request comes back to a set.
std::uint64_t OneWay::period(std::size_t level, std::int64_t shift) const {
    const Geometry& geometry = levels_[level].geometry;
    return geometry.sets / std::gcd<std::uint64_t>(std::abs(shift) / geometry.line, geometry.sets);
}

std::uint64_t OneWay::rounds_to_fill(std::size_t level, std::int64_t shift) const {
    return levels_[level].geometry.ways * period(level, shift);
}

// Rounds from which on a level does the same in each, `rounds` in all.
std::uint64_t OneWay::settled_after(std::size_t level, const Round& round, std::uint64_t rounds) const {
    const std::uint64_t fill = rounds_to_fill(level, round.shift), jump = std::abs(lines_on(level, round));
    if (round.requests.size() > batch / 4 || rounds <= 4 * fill) return rounds;
    std::vector<std::pair<Line, Line>> asked;  // those that can ask for the same lines are neighbours, in order
    for (const Request& request : round.requests) asked.emplace_back(request.line() % jump, request.line() / jump);
    std::ranges::sort(asked);
    std::uint64_t span = 0, longest = 0;
    for (std::size_t k = 1; k < asked.size(); ++k) {
        const std::uint64_t apart = asked[k].second - asked[k - 1].second;
        span = asked[k].first == asked[k - 1].first && apart < rounds ? span + apart : 0;
        longest = std::max(longest, span);
    }
    return 2 * fill + longest + 1;
}

// The requests of `round` to a level come so many times more.
void OneWay::repeat(std::size_t level, Round& round, std::uint64_t rounds) {
    if (level == levels_.size()) return;  // what the memory has to do follows from what its neighbour did
    const std::uint64_t wait = settled_after(level, round, rounds);
    if (rounds <= 2 * wait) return ask_for(level, round, rounds);
    ask_for(level, round, wait);
    drain_all();
    const Tallies before = levels_[level].tallies;
    ask_for(level, round, 1);
    drain(level);
    Round next{queues_[level + 1].waiting(), round.shift};
    skip(level, round, before, rounds - wait - 1);
    repeat(level + 1, next, rounds - wait - 1);
}

void OneWay::ask_for(std::size_t level, Round& round, std::uint64_t rounds) {
    const std::int64_t lines = lines_on(level, round);
    Queue& queue = queues_[level];
    for (std::uint64_t k = 0; k < rounds; ++k) {
        if (queue.room() < round.requests.size()) drain(level);
        for (Request& request : round.requests) {
            request.move(lines);
            *queue.next++ = request;
        }
    }
}

// A level does what it did since `before` so many times more, in rounds to come.
void OneWay::skip(std::size_t level, const Round& round, const Tallies& before, std::uint64_t rounds) {
    Level& here = levels_[level];
    for (std::size_t who = 0; who < here.tallies.size(); ++who) {
        Tally& tally = here.tallies[who];
        tally.missed += rounds * (tally.missed - before[who].missed);
        tally.filled += rounds * (tally.filled - before[who].filled);
        tally.written += rounds * (tally.written - before[who].written);
    }
    const std::int64_t lines = lines_on(level, round);
    std::vector<std::uint64_t> asked;
    for (const Request& request : round.requests)
        for (std::uint64_t k = 0; k < period(level, round.shift); ++k)
            asked.push_back(here.places.set_of(request.line() + k * std::abs(lines)));
    std::ranges::sort(asked);
    asked.erase(std::ranges::unique(asked).begin(), asked.end());
    move_lines(here, asked, static_cast<std::int64_t>(rounds) * lines);
}

// All lines in these sets become others, so much further on, which belong into these sets again.
void OneWay::move_lines(Level& level, const std::vector<std::uint64_t>& sets, std::int64_t by) {
    const std::uint32_t ways = level.geometry.ways;
    std::vector<Tag> tags;
    for (const std::uint64_t set : sets) tags.insert(tags.end(), level.set(set), level.set(set) + ways);
    for (std::size_t k = 0; k < tags.size(); ++k) {
        const Line line = level.places.line_at(tags[k] & tag_number, sets[k / ways]) + by;
        level.set(level.places.set_of(line))[k % ways] =
            static_cast<Tag>(level.places.tag_of(line)) | (tags[k] & ~tag_number);
    }
}

}  // namespace foretell::cachesim
