// What the cores of a kernel wait for, round by round: a recurrence over requests (docs/explanation/sunway-model.md).
//
// A core asks for its data, computes, sends; with two buffers the next data is asked for before the computation. Memory
// serves requests in the order they are made, so many at a time as take all that it gives. From these two rules follows
// when every request of every core is done. Rounds that repeat are not followed one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace foretell::sunway {

// All times in cycles of a core.
struct Controller {
    double service;  // of one transaction
    double latency;  // from the start of a transaction until its data is there
    double delay;    // between the transactions of one request
};

// `count` requests of one shape, spread evenly over the rounds.
struct Shape {
    double transactions;
    double count;
    bool out;
};

// Rounds of a core, with what it computes and loads directly in all of them.
struct Part {
    double rounds = 0;
    double compute = 0, loads = 0;
    std::vector<Shape> shapes;
};

// What the cores do: `longer` of them have a chunk of `last` rounds more than the others. The first of these may have a
// shorter chunk, or the first of all where all have as many.
struct Dealt {
    double cores, longer, last;
    Part most;     // of those with the most chunks
    Part shorter;  // without rounds where there is none
};

class Recurrence {
public:
    // Until when what share of all rounds was done: all, unless that takes long to follow.
    struct Progress {
        double cycles, share;
    };
    Progress follow(const Controller& memory, const Dealt& work, bool two_buffers);

private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr double near = 1e-6;        // cycles that are none
    static constexpr double whole = 1e-6;       // numbers of rounds and requests are whole but for rounding
    static constexpr double most_rounds = 1e6;  // beyond them, twice as many take twice as long

    enum class Phase : std::uint8_t { bring, wait_in, load, loaded, send, wait_out, drain, done };
    enum Slot : std::uint8_t { data, sent, sent_other, direct, slots };

    struct Core {
        double now = 0;
        double there = 0, was_there = 0;  // when what its round needs was there; what the last one needed
        double began = 0;                 // when it began to compute
        std::array<double, slots> arrival{};
        double round = 0, rounds = 0;
        double loads = 0, piece = 0;  // that its round still has, and the computation after each
        double asked = 0;             // when it made its last load
        double alike = 0;             // rounds before those of the shorter chunk
        std::uint8_t run = 0;         // what it does in them
        std::uint32_t shape = 0;
        Slot waits = slots;
        Slot buffer = sent;  // that goes out next
        Phase phase = Phase::bring;
    };
    // A request that waits since `time`.
    struct Request {
        double time, transactions;
        std::uint64_t order;  // among those of one time
        std::uint32_t core;
        Slot slot;
    };
    // A request that is served: when a transaction of it starts, and when its last one does.
    struct Place {
        double next, last;
        std::uint64_t age;
        std::uint32_t core;
        Slot slot;
    };
    // Requests by time. They leave at the front and come near the end.
    class Queue {
    public:
        void clear() { items_.clear(), first_ = 0; }
        bool empty() const { return first_ == items_.size(); }
        const Request& front() const { return items_[first_]; }
        std::size_t size() const { return items_.size() - first_; }
        double time() const { return empty() ? never : front().time; }
        double newest() const { return empty() ? -never : items_.back().time; }

        Request pop() {
            const Request request = items_[first_];
            if (++first_ == items_.size()) clear();
            return request;
        }

        void insert(const Request& request) {
            if (first_ > 256) {
                items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
                first_ = 0;
            }
            items_.push_back(request);
            std::size_t place = items_.size() - 1;
            for (; place > first_ && items_[place - 1].time > request.time + near; --place)
                items_[place] = items_[place - 1];
            items_[place] = request;
        }

    private:
        std::vector<Request> items_;
        std::size_t first_ = 0;
    };
    // Requests of one shape: how many a round has on average, no more than one.
    struct Spread {
        double transactions, step;
        bool out;
    };
    // Rounds of one kind: of a core with all chunks, of one with a chunk less, of the shorter chunk.
    struct Run {
        double rounds = 0;
        double compute = 0;  // of a round
        double loads = 0;    // of a round on average
        std::vector<Spread> spreads;
    };
    enum { most, fewer, shorter, runs };
    // Sums over the cores of a round: when they began, and when their data was there.
    struct Round {
        double began = 0, there = 0;
        std::size_t cores = 0;
    };
    // A round, and when the cores began it on average.
    struct Mark {
        double round = std::numeric_limits<double>::infinity(), time = 0;
    };

    Progress shortened(const Controller& memory, const Dealt& work, bool two_buffers);
    void prepare(const Controller& memory, const Dealt& work, bool two_buffers);
    void plan(Run& run, const Part& part, double last);
    static double period(const Part& part);
    void deal(std::size_t number, double longer);

    bool serve();
    Progress progress() const;
    double at_least(double cores) const;
    std::size_t ends_first() const;
    double oldest() const;
    Request take();
    static void roll(Place& place, double time, double cycle);
    void admit(double time);
    void look_ahead(double time);
    void by_next();
    void put_off(std::size_t before, double end);
    void let_go();
    void load(double time);
    double turn_end(double time) const;
    double transaction_end(double time);
    void catch_up(double time);
    void take_turn(double time);
    void change_pace(double before, double after);
    void hand_over(std::size_t number);
    void complete(std::size_t number);
    void done(std::uint32_t number, Slot slot, double time);

    void advance(std::uint32_t number);
    bool step(std::uint32_t number, Core& core);
    bool wait(Core& core, Slot slot) const;
    void ask(std::uint32_t number, double transactions, Slot slot);
    bool ask_one(std::uint32_t number, bool out);
    const Run& run_of(const Core& core, double round) const;
    double due(const Core& core, std::size_t shape, double round) const;
    double all_due(const Core& core, double round, bool out) const;
    double loads_due(const Core& core) const;
    void begin(Core& core);
    void compute(Core& core) const;
    void finish_round(Core& core) const;

    void compare_loads(Core& core, double time);
    void pass_loads(double time);
    void restart(double round);
    void compare(double pace, double there_pace);
    void skip(std::size_t k);
    bool steady(std::size_t k) const;
    std::size_t cores_in(double round) const;
    double next_change(double round, bool over_requests) const;
    double slack() const;

    Controller memory_{};
    double gap_ = 0, turn_ = 0;  // between transactions of a request, when memory has places left and when not
    std::size_t places_ = 0;     // requests that together take all that memory gives
    bool two_ = false;
    std::array<Run, runs> runs_;
    double full_ = 0, all_ = 0;  // rounds that all cores have, and the most of one core
    double shorter_end_ = 0;     // rounds of the core with the shorter chunk
    std::size_t longer_ = 0;     // cores with the most chunks
    std::vector<Core> cores_;
    Queue waiting_in_, waiting_out_, loads_;
    std::vector<Place> served_;
    bool crowded_ = false;  // all places are taken
    std::uint64_t age_ = 0, order_ = 0;
    double time_ = 0;
    double idle_ = 0;  // until then memory serves what is not in `next` of a place

    std::vector<Round> rounds_;  // since `stretch_`
    double stretch_ = 0, lead_ = 0, skipped_ = 0;
    double pace_ = 0, there_pace_ = 0;
    Mark mark_;  // from which on the pace of unlike rounds is taken
    double period_ = 1;
    double load_pace_ = 0;
    std::size_t loads_alike_ = 0;
    std::size_t repeats_ = 0, finished_ = 0;
    std::size_t effort_ = 0, loads_followed_ = 0;
};

}  // namespace foretell::sunway
