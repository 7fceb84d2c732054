// Batched engine for levels of up to 32 ways: an inner level does not depend on any outer one. So requests to the next
// level are queued and processed in batches, and the host can prefetch the simulated sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cachesim/cachesim.hpp"
#include "cachesim/lines.hpp"
#include "cachesim/lru.hpp"
#include "common/large_pages.hpp"

namespace foretell::cachesim {

class LruBatched final : public Engine {
public:
    static bool fits(const std::vector<Geometry>& levels, std::size_t references);

    LruBatched(const std::vector<Geometry>& levels, std::size_t references, bool vectors);

    // Whether tags are wide enough for lines up to an address.
    bool reaches(std::uint64_t address) const { return address < reach_; }
    void transfer_state(Hierarchy& to);

    // Rounds (repeated, translated accesses); worth the overhead from this number of accesses on.
    double worth_rounds() const { return 16.0 * levels_[0].geometry.sets * levels_[0].geometry.ways; }
    void begin_round();
    std::uint64_t end_round(std::int64_t shift, std::uint64_t times);

    void run(std::vector<Cursor>& cursors, std::uint64_t trips) override;
    void run(const List& list) override;
    Counts counts(std::size_t reference, std::size_t level) override;
    MemoryCounts memory(std::size_t reference) override;
    std::uint64_t dirty_lines(std::size_t level) override;

private:
    static constexpr int who_bits = 16, use_bits = 2, line_bits = 64 - who_bits - use_bits;

    // Requester: twice the number of the reference, plus one for a write-back or a store.
    using Who = std::uint64_t;
    static Who wants(std::size_t reference) { return 2 * reference; }
    static Who gives_back(std::size_t reference) { return 2 * reference + 1; }
    static Who touches(std::size_t reference, Kind kind) { return wants(reference) + (kind == Kind::store); }

    // Access of a reference to a line, or fetch or write-back by the inner level: 46 bits for the line, two for the
    // kind of use, 16 for the requester.
    class Request {
    public:
        Request() = default;
        Request(Line line, Who who, Use use = Use::passes)
            : bits_(line << (who_bits + use_bits) | static_cast<std::uint64_t>(use) << who_bits | who) {}
        Line line() const { return bits_ >> (who_bits + use_bits); }
        Who who() const { return bits_ & ((1 << who_bits) - 1); }
        bool back() const { return bits_ & 1; }
        // Request for the same line to the next level.
        Request wanted() const { return Request(bits_ & ~(std::uint64_t{3} << who_bits | 1)); }
        void move(std::int64_t lines) { bits_ += static_cast<std::uint64_t>(lines) << (who_bits + use_bits); }
        // A line written back or stored to is dirty, one that a reference stays on is in use.
        Tag marks() const {
            return static_cast<Tag>(bits_) << 31 | (static_cast<Tag>(bits_ >> (who_bits + 1)) << 30 & tag_in_use);
        }
        Tag marks_lost() const { return static_cast<Tag>(bits_ >> who_bits) << 30 & tag_in_use; }

    private:
        explicit Request(std::uint64_t bits) : bits_(bits) {}
        std::uint64_t bits_ = 0;
    };

    // Events of one reference at one level for fetches, or for write-backs (at the innermost level: loads, or stores):
    // misses, those that filled an empty slot, and dirty victims. All other counts are derived from these.
    class Tallies {
    public:
        explicit Tallies(std::size_t references = 0) : requesters_(2 * references), counts_(3 * requesters_) {}
        // By requester.
        std::uint64_t* missed() { return counts_.data(); }
        std::uint64_t* filled() { return missed() + requesters_; }
        std::uint64_t* written() { return filled() + requesters_; }
        void add(const Tallies& more, std::uint64_t times) {
            for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += times * more.counts_[k];
        }

    private:
        std::size_t requesters_;
        std::vector<std::uint64_t> counts_;
    };
    struct alignas(64) Slots {
        Slots() { std::fill_n(tags, 16, no_tag); }
        Tag tags[16];
    };
    struct Level {
        Level(const Geometry& geometry, std::size_t references, std::uint64_t lines, bool wide);
        // A set may have several `Slots`, one after the other.
        Tag* set(std::uint64_t number) {
            static_assert(sizeof(Slots) == sizeof(Slots::tags));
            return reinterpret_cast<Tag*>(slots.data()) + places.place_of(number) * stride;
        }
        Geometry geometry;
        Places places;
        std::uint64_t lines;   // lines of the inner level per line of this one
        std::uint64_t stride;  // distance of two sets in slots
        std::vector<Slots, LargePages<Slots>> slots;
        Tallies tallies;
    };
    struct Queue {
        explicit Queue(Request* begin) : first(begin), next(begin) {}
        Request* begin() { return first; }
        std::size_t room() const { return most - (next - first); }
        Request *first, *next;
    };
    // Requests to a level that are repeated, translated by `shift` bytes each time.
    struct Round {
        std::vector<Request> requests;
        std::int64_t shift;
    };
    // Effect of a round on a level: the sets it accessed, their contents, and its counts.
    struct Deed {
        Round round;
        std::uint64_t number = 0;  // index of the round
        std::vector<std::uint64_t> sets;
        std::vector<Tag> before, after;
        Tallies counted;
    };
    struct Outlet;
    class Feed;
    template <typename Sets>
    class Inner;
    class Keeper;

    template <typename Slots, typename Work>
    void with_sets(Level& level, Work work);
    template <typename Slots>
    void follow_as(std::vector<Cursor>& cursors, std::uint64_t trips);
    template <bool innermost, typename Sets>
    Request* answer_with(Sets& sets, Outlet outlet, const Request* requests, std::size_t count, Request* next);
    template <bool outermost, typename Sets>
    Request* answer_plainly(Sets& sets, Outlet outlet, const Request* requests, std::size_t count, Request* next);
    template <typename Slots>
    void answer_as(std::size_t level, const Request* requests, std::size_t count);
    void follow_wide(std::vector<Cursor>& cursors, std::uint64_t trips);
    void keep_lines(std::vector<Cursor>& cursors, std::uint64_t trips);
    void keep_lines_wide(std::vector<Cursor>& cursors, std::uint64_t trips);
    void answer_wide(std::size_t level, const Request* requests, std::size_t count);
    template <typename Slots>
    void answer_plainly_as(std::size_t level, const Request* requests, std::size_t count);
    void answer_plainly_wide(std::size_t level, const Request* requests, std::size_t count);
    void answer(std::size_t level, const Request* requests, std::size_t count);
    bool plain(const List& list) const;
    template <typename Requester>
    void follow(const List& list, Requester requester);
    void to_lines_outside(std::size_t level, std::size_t from);
    void request_outside(Request* next);
    bool by_lines(const std::vector<Cursor>& cursors) const;

    // Rounds (lru_batched_rounds.cpp).
    std::vector<Request> caught();
    std::int64_t lines_on(std::size_t level, const Round& round) const;
    void repeat(std::size_t level, Round round, std::uint64_t rounds);
    void request_round(std::size_t level, Round& round, std::uint64_t rounds);
    std::uint64_t sets_apart(std::size_t level, const Round& round) const;
    std::uint64_t rounds_to_fill(std::size_t level, const Round& round) const;
    std::vector<std::uint64_t> sets_accessed(std::size_t level, const Round& round) const;
    std::vector<Tag> tags_in(std::size_t level, const std::vector<std::uint64_t>& sets);
    bool moved_on(std::size_t level, const std::vector<std::uint64_t>& sets, const std::vector<Tag>& before,
                  std::int64_t lines);
    void put_lines(std::size_t level, const std::vector<std::uint64_t>& sets, const std::vector<Tag>& tags,
                   std::int64_t lines);
    Tallies counted_since(std::size_t level, const Tallies& before) const;
    std::uint64_t one_by_one(Round round, std::uint64_t most);
    std::int64_t lines_since(std::size_t level, const Deed& deed, std::uint64_t number) const;
    bool does_again(std::size_t level, const Deed& deed, std::uint64_t number);
    void record(std::size_t level, std::vector<Deed>& deeds, std::uint64_t number);
    std::vector<std::uint64_t> sets_of(std::size_t level, const Round& round) const;

    // Queued requests.
    __attribute__((noinline)) void drain(std::size_t level);
    void drain_all();
    std::uint64_t wanted(std::size_t reference, std::size_t level);

    // Requests queued per level before they are processed: few enough for a host cache. Sets are prefetched `ahead`
    // requests early: more would exceed the outstanding misses of the host.
    static constexpr std::size_t batch = 512, most = 4 * batch, ahead = 32;
    // Padding between queues: without it, reads of one queue and writes to another would share the low twelve address
    // bits (4K aliasing).
    static constexpr std::size_t apart = 128;

    bool wide_;
    std::uint64_t reach_;
    std::vector<Level> levels_;
    std::vector<std::uint64_t> accesses_;  // by reference
    std::vector<Request> waiting_;         // storage of all queues
    std::vector<Queue> queues_;            // by level: requests to it; the last one is the memory's
    bool stored_ = false;                  // there was a store, so lines may be dirty
    bool plain_ = false;                   // queued requests are loads of one reference, and no line is dirty
    std::size_t caught_at_;                // level whose requests are captured instead of processed
    std::vector<Request> caught_;
    std::vector<std::uint64_t> accesses_before_;  // at the start of the captured round
};

}  // namespace foretell::cachesim
