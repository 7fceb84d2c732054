// Rounds: accesses that are repeated, translated by a constant number of bytes each time, as by an iteration of a loop
// with equal strides of all references.
//
// LRU is translation-invariant: a level whose requests are translated by some lines has the same state, translated. So
// once the state of a level after a round equals that after the previous round, translated by the shift of a round, all
// later rounds do the same, and the level need not be simulated any more: its requests to the next level are those of
// that round, translated.
//
// Rounds that access few sets, and a few new ones each time, never reach that state. But a single round repeats the
// previous one, translated, if the sets that it accesses had the same contents, translated: for example if all are
// empty.
#include <algorithm>
#include <numeric>
#include <utility>

#include "cachesim/lru_batched.hpp"

namespace foretell::cachesim {

// Starts the capture of accesses as a round.
void LruBatched::begin_round() {
    drain_all();
    caught_at_ = 0;
    accesses_before_ = accesses_;
}

// Simulates the captured round `times` times, translated by `shift` bytes each time. Returns the number of rounds
// simulated: all, or, if they access so few sets that even the innermost level would never reach steady state, those
// that repeat the first one.
std::uint64_t LruBatched::end_round(std::int64_t shift, std::uint64_t times) {
    Round round{caught(), shift};
    const std::vector<std::uint64_t> before = accesses_;
    if (rounds_to_fill(0, round) >= times) times = one_by_one(std::move(round), times);
    else repeat(0, std::move(round), times);
    for (std::size_t k = 0; k < accesses_.size(); ++k) accesses_[k] += (times - 1) * (before[k] - accesses_before_[k]);
    return times;
}

// Simulates rounds as long as the innermost level repeats the first one. Returns their number.
std::uint64_t LruBatched::one_by_one(Round round, std::uint64_t most) {
    std::vector<Deed> deeds(levels_.size());
    deeds[0].round = std::move(round);
    record(0, deeds, 0);
    std::uint64_t done = 1;
    for (; done < most && does_again(0, deeds[0], done); ++done)
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            if (!does_again(level, deeds[level], done)) {
                record(level, deeds, done);
                break;
            }
            const std::int64_t lines = lines_since(level, deeds[level], done);
            put_lines(level, deeds[level].sets, deeds[level].after, lines);
            levels_[level].tallies.add(deeds[level].counted, 1);
        }
    return done;
}

std::int64_t LruBatched::lines_since(std::size_t level, const Deed& deed, std::uint64_t number) const {
    return static_cast<std::int64_t>(number - deed.number) * lines_on(level, deed.round);
}

// Whether a level repeats an earlier round, given the same requests, translated.
bool LruBatched::does_again(std::size_t level, const Deed& deed, std::uint64_t number) {
    return moved_on(level, deed.sets, deed.before, lines_since(level, deed, number));
}

// Simulates a round from a level outward, and records its effect on each level.
void LruBatched::record(std::size_t level, std::vector<Deed>& deeds, std::uint64_t number) {
    for (Request& request : deeds[level].round.requests) request.move(lines_since(level, deeds[level], number));
    for (; level < levels_.size(); ++level) {
        Deed& deed = deeds[level];
        deed.number = number;
        deed.sets = sets_of(level, deed.round);
        deed.before = tags_in(level, deed.sets);
        const Tallies tallies = levels_[level].tallies;
        caught_at_ = level + 1;
        Round copy = deed.round;
        request_round(level, copy, 1);
        Round next{caught(), deed.round.shift};
        deed.after = tags_in(level, deed.sets);
        deed.counted = counted_since(level, tallies);
        if (level + 1 < levels_.size()) deeds[level + 1].round = std::move(next);
    }
}

// Returns the captured requests and ends the capture.
std::vector<LruBatched::Request> LruBatched::caught() {
    drain_all();
    caught_at_ = levels_.size() + 1;
    return std::exchange(caught_, {});
}

std::int64_t LruBatched::lines_on(std::size_t level, const Round& round) const {
    return round.shift / static_cast<std::int64_t>(levels_[level].geometry.line);
}

// Simulates `rounds` rounds at a level, of which `round` is the first.
void LruBatched::repeat(std::size_t level, Round round, std::uint64_t rounds) {
    if (level == levels_.size()) return;  // memory counts are derived from the last level
    const std::vector<std::uint64_t> sets = sets_accessed(level, round);
    const std::uint64_t lines = sets.size() * levels_[level].geometry.ways, requests = round.requests.size();
    std::uint64_t wait = rounds_to_fill(level, round), done = 0;
    for (; rounds > wait + 1 && (rounds - wait) * requests > lines / 4; wait = done / 4) {
        request_round(level, round, wait);
        done += wait + 1;
        drain_all();
        const Tallies tallies = levels_[level].tallies;
        const std::vector<Tag> tags = tags_in(level, sets);
        caught_at_ = level + 1;
        request_round(level, round, 1);
        Round next{caught(), round.shift};
        rounds -= wait + 1;
        if (moved_on(level, sets, tags, lines_on(level, round))) {
            levels_[level].tallies.add(counted_since(level, tallies), rounds);
            put_lines(level, sets, tags_in(level, sets), static_cast<std::int64_t>(rounds) * lines_on(level, round));
            return repeat(level + 1, std::move(next), rounds + 1);
        }
        request_round(level + 1, next, 1);
    }
    request_round(level, round, rounds);
}

// Issues the requests of `rounds` rounds, and advances `round` to the next one.
void LruBatched::request_round(std::size_t level, Round& round, std::uint64_t rounds) {
    if (level == levels_.size()) return;
    const std::int64_t lines = lines_on(level, round);
    Queue& queue = queues_[level];
    for (std::uint64_t k = 0; k < rounds; ++k)
        for (Request& request : round.requests) {
            *queue.next++ = request;
            request.move(lines);
            if (queue.room() == 0) drain(level);
        }
}

// Period in sets after which rounds access the same sets.
std::uint64_t LruBatched::sets_apart(std::size_t level, const Round& round) const {
    const std::uint64_t lines = static_cast<std::uint64_t>(std::abs(lines_on(level, round)));
    return std::gcd(lines, levels_[level].geometry.sets);
}

// Sets that this and all following rounds may access.
std::vector<std::uint64_t> LruBatched::sets_accessed(std::size_t level, const Round& round) const {
    const std::uint64_t apart = sets_apart(level, round);
    std::vector<bool> accessed(apart);
    for (const Request& request : round.requests) accessed[request.line() % apart] = true;
    std::vector<std::uint64_t> sets;
    for (std::uint64_t first = 0; first < apart; ++first)
        for (std::uint64_t set = first; accessed[first] && set < levels_[level].geometry.sets; set += apart)
            sets.push_back(set);
    return sets;
}

// Sets that this round accesses.
std::vector<std::uint64_t> LruBatched::sets_of(std::size_t level, const Round& round) const {
    const Level& here = levels_[level];
    std::vector<bool> accessed(here.geometry.sets);
    for (const Request& request : round.requests) accessed[here.places.set_of(request.line())] = true;
    std::vector<std::uint64_t> sets;
    for (std::uint64_t set = 0; set < here.geometry.sets; ++set)
        if (accessed[set]) sets.push_back(set);
    return sets;
}

// Estimates the rounds until a level holds lines of these rounds only: their fills must fill the sets accessed, and all
// of those must have been accessed. Write-backs and last accesses are to lines filled before. An eighth is added, since
// other lines may be requested repeatedly, too.
std::uint64_t LruBatched::rounds_to_fill(std::size_t level, const Round& round) const {
    const Geometry& geometry = levels_[level].geometry;
    const std::uint64_t apart = sets_apart(level, round), sets = geometry.sets / apart;
    struct Residue {
        std::uint64_t brought = 0, sets = 0;
    };
    std::vector<Residue> residues(apart);
    std::vector<bool> met(geometry.sets);
    for (const Request& request : round.requests) {
        Residue& here = residues[request.line() % apart];
        const std::uint64_t set = levels_[level].places.set_of(request.line());
        here.brought += !(level == 0 ? request.marks_lost() : request.back());
        here.sets += !met[set];
        met[set] = true;
    }
    std::uint64_t rounds = 0;
    for (const Residue& here : residues)
        if (here.sets > 0) {
            const std::uint64_t brought = std::max<std::uint64_t>(here.brought, 1);
            rounds = std::max({rounds, geometry.ways * sets / brought, sets / here.sets});
        }
    return 1 + rounds * 9 / 8;
}

std::vector<Tag> LruBatched::tags_in(std::size_t level, const std::vector<std::uint64_t>& sets) {
    Level& here = levels_[level];
    std::vector<Tag> tags;
    tags.reserve(sets.size() * here.geometry.ways);
    for (const std::uint64_t set : sets) tags.insert(tags.end(), here.set(set), here.set(set) + here.geometry.ways);
    return tags;
}

namespace {

// Translation by a number of lines: target set and increment of the tags.
struct Further {
    Further(std::uint64_t from, std::int64_t lines, std::uint64_t sets) {
        const std::int64_t count = static_cast<std::int64_t>(sets), moved = static_cast<std::int64_t>(from) + lines;
        more = moved / count - (moved % count < 0);
        set = static_cast<std::uint64_t>(moved - more * count);
    }
    // Empty slots stay empty; returns whether the result is a valid line.
    bool operator()(Tag tag, Tag& moved) const {
        const std::int64_t number = (tag & tag_number) + more;
        moved = tag == no_tag ? no_tag : static_cast<Tag>(number) | (tag & ~tag_number);
        return tag == no_tag || (number >= 0 && number < no_tag);
    }
    std::uint64_t set;
    std::int64_t more;
};

}  // namespace

// Whether sets have their earlier contents, translated by `lines`.
bool LruBatched::moved_on(std::size_t level, const std::vector<std::uint64_t>& sets, const std::vector<Tag>& before,
                          std::int64_t lines) {
    Level& here = levels_[level];
    const Tag* tag = before.data();
    for (const std::uint64_t set : sets) {
        const Further further(set, lines, here.geometry.sets);
        const Tag* const now = here.set(further.set);
        for (std::uint32_t way = 0; way < here.geometry.ways; ++way) {
            Tag moved;
            if (!further(*tag++, moved) || moved != now[way]) return false;
        }
    }
    return true;
}

// Stores contents of sets, translated by `lines`.
void LruBatched::put_lines(std::size_t level, const std::vector<std::uint64_t>& sets, const std::vector<Tag>& tags,
                           std::int64_t lines) {
    Level& here = levels_[level];
    const Tag* tag = tags.data();
    for (const std::uint64_t set : sets) {
        const Further further(set, lines, here.geometry.sets);
        for (std::uint32_t way = 0; way < here.geometry.ways; ++way) further(*tag++, here.set(further.set)[way]);
    }
}

LruBatched::Tallies LruBatched::counted_since(std::size_t level, const Tallies& before) const {
    Tallies more = levels_[level].tallies;
    more.add(before, ~std::uint64_t{0});
    return more;
}

}  // namespace foretell::cachesim
