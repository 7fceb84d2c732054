// Levels that replace by LRU, allocate on writes and neither take lines out of others nor take in what those give up:
// nothing that a level outside does is seen by one inside. So what a level asks of the next one waits until there is
// much of it, and the real caches can be asked ahead for what the simulated ones will look at.
#pragma once

#include <cstdint>
#include <vector>

#include "cachesim.hpp"
#include "lru.hpp"

namespace foretell::cachesim {

class OneWay final : public Engine {
public:
    static bool fits(const std::vector<Geometry>& levels, std::size_t references);

    OneWay(const std::vector<Geometry>& levels, std::size_t references, bool vectors);

    // Whether lines up to an address can be told apart.
    bool reaches(std::uint64_t address) const { return address < reach_; }
    void hand_over(Hierarchy& to);

    void run(std::vector<Cursor>& cursors, std::uint64_t trips) override;
    void run(const List& list) override;
    Counts counts(std::size_t reference, std::size_t level) override;
    MemoryCounts memory(std::size_t reference) override;
    std::uint64_t dirty_lines(std::size_t level) override;

private:
    // A line that the level inside wants, or one that it gives back (1), and the reference that caused it.
    class Request {
    public:
        Request() = default;
        Request(Line line, std::uint64_t reference, bool back) : bits_(line << 16 | reference << 1 | back) {}
        Line line() const { return bits_ >> 16; }
        std::uint64_t reference() const { return bits_ >> 1 & 0x7fff; }
        bool back() const { return bits_ & 1; }

    private:
        std::uint64_t bits_ = 0;
    };
    static constexpr std::uint64_t line_bits = 48, most_references = 0x8000;

    // What one reference did at one level: misses of lines wanted and of lines given back, those that took an empty
    // slot, dirty lines that had to go. All other counts follow from these.
    struct Tally {
        std::uint64_t missed[2] = {0, 0}, filled = 0, written = 0;
    };
    struct alignas(64) Slots {
        Tag tags[16];
    };
    struct Level {
        Level(const Geometry& geometry, std::size_t references, std::uint64_t parts, bool wide);
        Tag* set(std::uint64_t number) { return slots.data()->tags + number * stride; }
        Geometry geometry;
        Places places;
        std::uint64_t parts;   // lines of the level inside to a line of this one
        std::uint64_t stride;  // slots from one set to the next
        std::vector<Slots> slots;
        std::vector<Tally> tallies;  // by reference
    };
    struct Queue {
        Queue() : requests(most + ahead), next(requests.data()) {}
        Request* begin() { return requests.data(); }
        std::size_t room() const { return most - (next - requests.data()); }
        std::vector<Request> requests;
        Request* next;
    };
    struct Outlet;
    template <typename Sets>
    class Inner;

    template <typename Slots, typename Use>
    void with_sets(std::size_t level, Use use);
    template <typename Slots>
    void walk(std::vector<Cursor>& cursors, std::uint64_t trips);
    template <typename Slots>
    void follow(const List& list);
    template <typename Slots>
    void answer(std::size_t level, const Request* begin, const Request* end);
    void walk_wide(std::vector<Cursor>& cursors, std::uint64_t trips);
    void follow_wide(const List& list);
    void answer_wide(std::size_t level, const Request* begin, const Request* end);
    void walk_narrow(std::vector<Cursor>& cursors, std::uint64_t trips);
    void follow_narrow(const List& list);
    void answer_narrow(std::size_t level, const Request* begin, const Request* end);
    bool by_lines(const std::vector<Cursor>& cursors) const;
    void drain(std::size_t level);
    void drain_all();
    std::uint64_t wanted(std::size_t reference, std::size_t level) const;

    // Requests that wait for a level before they are answered: few enough for a real cache. What they will look at is
    // asked of the real caches so many requests ahead: more would not be under way at a time.
    static constexpr std::size_t batch = 512, most = 4 * batch, ahead = 16;

    bool wide_;
    std::uint64_t reach_;
    std::vector<Level> levels_;
    std::vector<Queue> queues_;             // by level: what it will be asked; the last one is the memory's
    std::vector<std::uint64_t> accesses_;   // by reference
};

}  // namespace foretell::cachesim
