// What the cores of a kernel wait for, round by round: a recurrence over requests (docs/explanation/sunway-model.md).
//
// A core asks for its data, computes, sends; with two buffers the next data is asked for before the computation. Memory
// serves requests in the order they are made, so many at a time as take all that it gives. From these two rules follows
// when every request of every core is done. Rounds that repeat are not followed one by one.
#pragma once

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
    double loads;    // share of the bandwidth that direct loads take while all cores compute
};

// `count` requests of one shape, spread evenly over the rounds.
struct Shape {
    double transactions;
    double count;
    bool out;
};

// What the busiest core does; `longer` cores do it all, the others do not have the last chunk.
struct Dealt {
    double cores, longer;
    double rounds, last;  // of all chunks, and of the last one
    double compute;
    std::vector<Shape> shapes;
};

class Recurrence {
public:
    // Cycles until the last core is done.
    double cycles(const Controller& memory, const Dealt& work, bool two_buffers);

private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    enum class Phase : std::uint8_t { bring, wait_in, send, wait_out, drain, done };
    enum Slot : std::uint8_t { data, sent, sent_other, slots };

    struct Core {
        double now = 0;
        double there = 0, was_there = 0;  // when what its round needs was there; what the last one needed
        double began = 0;                 // when it began to compute
        double arrival[slots] = {0, 0, 0};
        double round = 0, rounds = 0;
        double share = 0;  // of its last chunk, which may be shorter
        bool shorter = false;  // or none of it
        std::uint32_t shape = 0;
        Slot waits = slots;
        Slot buffer = sent;  // that goes out next
        Phase phase = Phase::bring;
    };
    // A request that waits since `time`.
    struct Request {
        double time, transactions;
        std::uint32_t core;
        Slot slot;
    };
    // A request that is served: when a transaction of it starts, and when its last one does.
    struct Place {
        double next, last;
        std::uint32_t core;
        Slot slot;
    };
    // Requests by time. They leave at the front and come near the end.
    class Queue {
    public:
        void clear() { items_.clear(), first_ = 0; }
        bool empty() const { return first_ == items_.size(); }
        std::size_t size() const { return items_.size() - first_; }
        const Request& front() const { return items_[first_]; }
        Request* begin() { return items_.data() + first_; }
        Request* end() { return items_.data() + items_.size(); }
        void pop();
        void insert(const Request& request);

    private:
        std::vector<Request> items_;
        std::size_t first_ = 0;
    };
    // Requests of a shape in a round: of a core with all chunks, of one without the last, and in a shorter last chunk.
    struct Spread {
        double all, fewer, shorter;
        bool by_chunk;
    };
    // Sums over the cores of a round: when they began, and when their data was there.
    struct Round {
        double began = 0, there = 0;
        std::size_t cores = 0;
    };

    // A round, and when the cores began it on average.
    struct Mark {
        double round = std::numeric_limits<double>::infinity(), time = 0;
    };

    void prepare(const Controller& memory, const Dealt& work, bool two_buffers);
    void spread();
    void deal(std::size_t number, double longer);
    void serve();
    std::size_t ends_first() const;
    double oldest() const;
    Request take();
    static void roll(Place& place, double time, double cycle);
    void admit(double time);
    double make_room(double time);
    void change_pace(double before, double after);
    void hand_over(std::size_t number);
    void complete(std::size_t number);
    void done(const Place& place);

    void advance(std::uint32_t number);
    bool step(std::uint32_t number, Core& core);
    bool wait(Core& core, Slot slot) const;
    void ask(std::uint32_t number, double transactions, Slot slot);
    bool ask_one(std::uint32_t number, bool out);
    double due(const Core& core, std::size_t shape, double round) const;
    double all_due(const Core& core, double round, bool out) const;
    void begin(Core& core);
    void finish_round(Core& core) const;
    void slow_down();

    void restart(double round);
    void compare(double pace, double there_pace);
    void skip(std::size_t k);
    double next_change(double round, bool over_requests) const;
    double slack() const;

    Controller memory_{};
    double gap_ = 0, turn_ = 0;  // between transactions of a request, when memory has places left and when not
    std::size_t places_ = 0;     // requests that together take all that memory gives
    bool two_ = false;
    const Dealt* work_ = nullptr;
    double full_ = 0, all_ = 0;  // rounds of the cores without the last chunk, and with it
    double compute_ = 0;         // of a round
    std::size_t longer_ = 0;
    std::vector<Spread> spreads_;
    std::vector<Core> cores_;
    Queue waiting_in_, waiting_out_;
    std::vector<Place> served_;
    bool crowded_ = false;  // all places are taken
    double time_ = 0;
    double idle_ = 0;  // until then memory serves what is not in `next` of a place

    std::vector<Round> rounds_;  // since `stretch_`
    double stretch_ = 0, lead_ = 0, skipped_ = 0;
    double pace_ = 0, there_pace_ = 0;
    Mark mark_, before_;  // as far into this stretch as into the one before
    std::size_t computing_ = 0;  // cores that have begun
    std::size_t repeats_ = 0, followed_ = 0, finished_ = 0;
};

}  // namespace foretell::sunway
