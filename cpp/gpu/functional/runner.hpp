// Executes the blocks of a launch. Private to the functional core.
#pragma once

#include <utility>

#include "gpu/functional/loops/rounds.hpp"
#include "gpu/functional/loops/standstill.hpp"

namespace foretell::functional {

class Runner {
public:
    Runner(const Program& program, const Launch& launch, bool counts);
    void block(std::uint64_t number);
    // Whether `blocks` blocks, each as long as the longest so far, are within the limit.
    bool affords(std::uint64_t blocks) const { return longest_ * blocks <= launch_.enough; }
    // Executes the first of the blocks to see how many of its warps draw from queues of work.
    void look_at_queues(const Program& program, const std::vector<std::uint64_t>& blocks);
    // Executes a block without keeping its trace. `launch.budget` ends it.
    Count count(std::uint64_t number);
    // Instructions that count towards limits of sampling: all but those left out of loops without branches.
    std::uint64_t executed() const { return issued_ - spared_; }
    Result finish();

private:
    std::vector<Warp> make_warps();
    void follow_others(BlockTrace& trace);
    void keep_shapes(BlockTrace& trace);
    // Whether the block has executed more than its budget, or has more instructions than it may.
    bool beyond_budget() const {
        const std::uint64_t all = issued_ - before_;
        return all - (result_.left_out - left_out_before_) > launch_.budget || all > launch_.extent;
    }
    // Runs every warp to a barrier or its end; releases the barrier if all warps wait. False at the end.
    bool round(std::vector<Warp>& warps, Block& block);
    void step(Warp& warp, Block& block);
    // Counts instructions whose results are not needed, up to the next that is; false at the end of the budget.
    bool idle(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active);
    static constexpr int most_visits = 8;      // iterations without constant increments after which none is skipped
    static constexpr int most_asking = 4;      // the same for loops with memory requests, which are expensive anyway
    static constexpr std::uint64_t parts = 8;  // in which such a loop is skipped
    static constexpr std::uint64_t nested_parts = 3;
    static constexpr std::size_t most_logged = 1 << 14;  // requests, and comparisons, of loops that nest others
    void begin_warp();
    // After two iterations with equal register increments, skips all up to the last but one: a loop that only computes,
    // or requests memory of unknown contents, ends when its induction variable reaches the bound.
    void leave_out_rounds(Warp& warp, Block& block, const Decoded& branch);
    void leave_out(Warp& warp, Block& block, const Decoded& branch, std::vector<Request> asked);
    void leave_out_nested(Warp& warp, Block& block, const Decoded& branch);
    void log_comparison(const Decoded& d, const Alu& alu);
    std::vector<Request> take_requests(const Decoded& branch, std::size_t from);
    // Whether the requests of an iteration extrapolate those of the two before: the same lanes, equal increments.
    bool steady(const std::vector<Request>& asked) const;
    // Iterations until the first lane leaves the loop.
    std::uint64_t rounds_to_go(Warp& warp, const Decoded& branch);
    std::pair<const Compared*, const Compared*> logged(const Decoded& branch) const;
    std::uint64_t rounds_alike(const Decoded& branch, Mask among) const;
    // Whether the last two iterations executed the same instructions, regardless of their global requests.
    bool same_round(std::size_t length) const;
    // Skips iterations and executes the next one; if that differs from the expectation, restores the state and returns
    // false. `asked`: requests of the last iteration.
    bool leap(Warp& warp, Block& block, const Decoded& branch, std::uint32_t rounds, std::vector<Request>& asked);
    // Repeats the last iteration in the trace, with requests extrapolated.
    void repeat_round(const std::vector<Request>& asked, std::size_t length, std::uint32_t rounds);
    // Repeats the increments of the counters; costs of requests have been counted individually.
    static void repeat(Counters& counters, const Counters& before, std::uint64_t times, bool asks);
    void compute(const Decoded& d, Warp& warp, Block& block, std::uint32_t pc, Mask certain, Mask unsure,
                 Counters& counters);
    // Looks whether a request, the last one of a warp, is one of a wait that never ends; if so the block has used all that it
    // may.
    void look_for_standstill(const Decoded& d, const Warp& warp, std::uint32_t pc);
    // Index of the shape of the last request.
    std::uint32_t shape(std::uint32_t pc, Mask executed, const Counters& before, const Counters& after);
    // Executes control flow; true for instructions that set the PC of lanes.
    bool control(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                 Counters& counters);
    // Index of the shape of an arrival at a named barrier: its number, from 1 on, as `serial`, the threads that it waits
    // for as `sectors`, none for all of the block. A number that is not known is that of the whole block.
    std::uint32_t arrival(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active);
    // Index of the shape of a load from constant memory by an index: different addresses as `wavefronts`, and the `lines`
    // that they are in.
    std::uint32_t constants(const Decoded& d, Warp& warp, const Alu& alu, std::uint32_t pc, Mask executed,
                            Counters& counters);
    static std::pair<std::uint64_t, std::uint64_t> walk(Warp& warp, std::uint64_t from, std::uint64_t bytes,
                                                        bool apart);
    // Marks where a warp would wait for others, once all of its lanes have come there.
    void pass_barrier(Warp& warp);
    // Lanes that WARPSYNC names: all, or those of a mask; if that is unknown, the active ones.
    Mask synchronised(const Decoded& d, Warp& warp, Mask active) const;
    // Deadlock of lanes that wait at different barriers: releases them, as the hardware eventually would.
    void release_all(Warp& warp);
    static Truth also(const Decoded& d, const Alu& alu, const Warp& warp, Mask active);
    bool fails(const Value& to, Mask calling) const;
    void exit(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
              Counters& counters);
    void branch(const Decoded& d, Warp& warp, std::uint32_t pc, Mask active, Mask certain, Mask unsure,
                Counters& counters);
    // Whether some lanes of a mask are not active; if the mask is unknown, of all lanes.
    static Truth apart(const Value& mask, const Warp& warp, Mask active);
    static Mask elsewhere(const Wide& target, Mask taken);
    static bool targets(const Decoded& d, const Alu& alu, std::uint32_t pc, Wide& target);
    // Lanes that take a branch for which the user gave an override.
    Mask decided(std::uint32_t pc, Mask open);
    // Outcome of an unknown condition: fall through, but skip slow paths; repeat a loop a few times.
    bool guess(const Decoded& d, std::uint32_t pc);
    const std::vector<Instruction>& program_;
    const Launch& launch_;
    const Prepared& prepared_;
    const std::vector<Decoded>& decoded_;
    Memory memory_;
    Literals literals_;
    Result result_;
    std::vector<bool> missing_;
    std::vector<std::uint8_t>
        tried_;  // idle instructions that were executed once, so that opcodes without a rule are named
    std::vector<std::vector<std::uint32_t>> unknown_seen_;  // by warp and instruction
    std::vector<std::uint32_t>* seen_ = nullptr;
    WarpTrace* trace_ = nullptr;
    std::vector<ShapeList> former_;                      // of the warps of the block before
    std::uint64_t left_out_before_ = 0;                  // of earlier blocks
    std::vector<std::vector<std::uint32_t>> shapes_of_;  // by instruction
    std::uint64_t issued_ = 0, before_ = 0,
                  longest_ = 0;  // instructions: of all blocks, before this one, of the longest
    std::uint64_t lines_ = 0;    // of earlier blocks
    Iterations iterations_;      // of the last loop without branches
    std::unordered_map<std::uint32_t, Iterations> nests_;  // of loops with branches, by instruction
    Iterations* loop_ = nullptr;                           // the one that is looked at
    std::vector<Compared> compared_;                       // in loops with branches, of the warp so far
    std::uint64_t spared_ = 0;                             // instructions left out of loops without branches
    std::uint64_t opens_ = 0;                              // branches whose outcome was assumed
    Comparisons comparisons_;
    Standstill standstill_;            // of the warp
    const Decoded* closed_ = nullptr;  // loop whose backward branch was just taken
};

}  // namespace foretell::functional
