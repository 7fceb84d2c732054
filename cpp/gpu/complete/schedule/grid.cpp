// A launch: clusters of blocks in the order of their numbers, over threads of the host.
#include <atomic>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "gpu/complete/memory/races.hpp"
#include "gpu/complete/schedule/warp.hpp"
#include "gpu/complete/use/link_use.hpp"
#include "gpu/complete/use/page_faults.hpp"

namespace foretell::complete {
namespace {

// A block that has not ended after so many instructions may wait for others: further ones become resident beside it.
constexpr std::uint64_t block_share = 1 << 22, resident_share = 1 << 16;
constexpr std::size_t most_resident = 2048;
// Threads start once the first block has shown that the launch is worth it: warp instructions, heavy ones by their work.
constexpr std::uint64_t worth_threads = 300'000;

void refuse(Worker& w, const Dense& d, Mask m) {
    const functional::Instruction& source = w.text->source[d.number];
    std::string name = source.opcode;
    for (const std::string& modifier : source.modifiers) name += "." + modifier;
    w.fail(d, FaultKind::unsupported, std::countr_zero(m), "the instruction " + name);
}

// Rows of the literals: the same word in all lanes.
std::vector<Row> literal_rows(const Text& text, const Launch& launch) {
    std::vector<Row> rows(text.literals.size() + zero_rows);
    for (std::size_t k = 0; k < text.literals.size(); ++k) {
        const Literal& literal = text.literals[k];
        std::uint32_t word = literal.value;
        if (literal.constant) {
            const auto bank = launch.banks.find(literal.bank);
            word = 0;
            if (bank != launch.banks.end() && literal.value + 4ull <= bank->second.size())
                std::memcpy(&word, bank->second.data() + literal.value, 4);
        }
        std::ranges::fill(rows[k].v, word);
    }
    return rows;
}

class Grid {
public:
    Grid(const Text& text, const Launch& launch)
        : text_(text),
          launch_(launch),
          literals_(literal_rows(text, launch)),
          memory_(launch.memory_bytes, launch.memory_file, launch.threads) {
        for (int k = 0; k < 3; ++k) {
            clusters_ *= launch.grid[k] / launch.cluster[k];
            cluster_size_ *= launch.cluster[k];
        }
        if (launch_.regions.empty()) launch_.regions.push_back({});
        if (launch.check_races) races_ = std::make_unique<RaceCheck>(text, launch.race_words);
    }

    Record run() {
        Worker first = worker();
        std::vector<Worker> others;
        const bool one_by_one = launch_.cooperative || !text_.order_free || races_ != nullptr;
        const std::uint32_t most = one_by_one ? 1 : launch_.threads;
        if (most > 1 && clusters_ > 1) {
            work(first, 1);
            if ((first.clock + first.work) * clusters_ > worth_threads)
                others.resize(std::min<std::uint64_t>(most, clusters_) - 1, worker());
        }
        for (Worker& other : others) {
            if (other.link != nullptr) other.link = std::make_shared<LinkUse>();
            if (other.faults != nullptr) other.faults = std::make_shared<PageFaults>();
        }
        std::vector<std::thread> threads;
        for (Worker& other : others) threads.emplace_back([this, &other] { work(other, ~0ull); });
        work(first, ~0ull);
        for (std::thread& thread : threads) thread.join();
        Record record = finish(first, others);
        record.threads = static_cast<std::uint32_t>(others.size() + 1);
        return record;
    }

private:
    Worker worker() {
        Worker w;
        w.rows[1] = literals_.data();
        w.launch = &launch_;
        w.text = races_ != nullptr ? &races_->text() : &text_;
        w.races = races_.get();
        w.memory = &memory_;
        if (std::ranges::any_of(launch_.regions, [](const Region& r) { return r.over_link; }))
            w.link = std::make_shared<LinkUse>();
        if (launch_.managed.count != 0) w.faults = std::make_shared<PageFaults>();
        w.unasked = memory_.affordable();
        w.last_region.assign(text_.text.size(), 0);
        w.executions.assign(text_.text.size(), 0);
        return w;
    }

    // Begins a cluster in the place of one that has ended.
    void begin(Cluster& cluster, std::uint64_t number) const {
        const auto &grid = launch_.grid, &size = launch_.cluster;
        const std::uint64_t across = grid[0] / size[0], down = grid[1] / size[1];
        const std::uint64_t first[3] = {number % across * size[0], number / across % down * size[1],
                                        number / across / down * size[2]};
        cluster.waited = 0;
        cluster.blocks.resize(cluster_size_);
        for (std::uint32_t rank = 0; rank < cluster_size_; ++rank) {
            auto& block = cluster.blocks[rank];
            if (block == nullptr) block = std::make_unique<Block>();
            block->index = {static_cast<std::uint32_t>(first[0] + rank % size[0]),
                            static_cast<std::uint32_t>(first[1] + rank / size[0] % size[1]),
                            static_cast<std::uint32_t>(first[2] + rank / size[0] / size[1])};
            block->cluster = &cluster;
            block->rank = rank;
            begin(*block);
        }
    }

    void begin(Block& block) const {
        const std::uint32_t threads = launch_.block[0] * launch_.block[1] * launch_.block[2];
        block.number = block.index[0] + std::uint64_t{launch_.grid[0]} *
                                            (block.index[1] + std::uint64_t{launch_.grid[1]} * block.index[2]);
        block.ended = false;
        block.shared.assign(launch_.shared_bytes, 0);
        block.warps.resize((threads + lanes - 1) / lanes);
        block.barriers = {};
        block.printed.clear();
        block.running = static_cast<std::uint32_t>(block.warps.size());
        if (races_ != nullptr) block.order = std::make_shared<BlockOrder>(block.warps.size(), block.shared.size());
        for (std::uint32_t k = 0; k < block.warps.size(); ++k) begin(block.warps[k], k, threads - lanes * k);
    }

    void begin(Warp& warp, std::uint32_t number, std::uint32_t threads) const {
        if (warp.rows == nullptr) warp.rows.reset(new Row[text_.rows()]);
        std::memset(static_cast<void*>(warp.rows.get()), 0, text_.rows() * sizeof(Row));
        std::ranges::fill(warp.p, 0);
        warp.p[true_predicate] = all_lanes;
        std::memset(warp.convergence, 0, sizeof warp.convergence);
        warp.alive = warp.existing = threads >= lanes ? all_lanes : (1u << threads) - 1;
        warp.groups[0] = Group{};
        warp.groups[0].mask = warp.alive;
        warp.group_count = 1;
        warp.current = warp.fruitless_yields = 0;
        warp.arrived_at_cluster = 0;
        warp.link_rounds = warp.fault_rounds = 0;
        warp.prints = warp.heap_calls = 0;
        warp.waiting_since = warp.rounds = warp.passed = 0;
        warp.number = number;
    }

    bool take(std::uint64_t& number) {
        number = next_.fetch_add(1);
        return number < clusters_ && first_block(number) < lowest_fault_.load();
    }

    // The lowest number of a block that this cluster, or a later one, has.
    std::uint64_t first_block(std::uint64_t cluster) const { return cluster_size_ == 1 ? cluster : 0; }

    // What a resident block occupies, but for its local memory and what it prints.
    std::uint64_t block_bytes() const {
        const std::uint64_t threads = std::uint64_t{launch_.block[0]} * launch_.block[1] * launch_.block[2];
        const std::uint64_t warp = sizeof(Warp) + text_.rows() * sizeof(Row);
        return sizeof(Block) + launch_.shared_bytes + (threads + lanes - 1) / lanes * warp;
    }

    static Fault memory_fault(std::uint64_t block) {
        Fault fault;
        fault.kind = FaultKind::memory;
        fault.block = block;
        return fault;
    }

    // Runs clusters, at most `limit` of them.
    void work(Worker& w, std::uint64_t limit) {
        std::vector<std::unique_ptr<Cluster>> resident, spare;
        std::uint64_t number;
        bool more = limit != 0;
        while (more || !resident.empty()) {
            if (more && (resident.size() < most_resident || launch_.cooperative)) {
                more = take(number);
                if (more) {
                    if (!place(number, resident, spare)) return;
                    more = --limit != 0;
                }
                if (more && launch_.cooperative) continue;
            }
            round(w, resident, spare);
        }
    }

    // Makes a cluster resident; false if it does not fit into memory.
    bool place(std::uint64_t number, std::vector<std::unique_ptr<Cluster>>& resident,
               std::vector<std::unique_ptr<Cluster>>& spare) {
        const bool fits = !spare.empty() || memory_.add(cluster_size_ * block_bytes());
        if (spare.empty()) spare.push_back(std::make_unique<Cluster>());
        begin(*spare.back(), number);
        if (!fits) note(memory_fault(spare.back()->blocks[0]->number));
        resident.push_back(std::move(spare.back()));
        spare.pop_back();
        return fits;
    }

    // Every resident cluster runs its share.
    void round(Worker& w, std::vector<std::unique_ptr<Cluster>>& resident,
               std::vector<std::unique_ptr<Cluster>>& spare) {
        const bool alone = resident.size() == 1 && !launch_.cooperative && cluster_size_ == 1;
        for (std::size_t k = 0; k < resident.size();) {
            if (!run_cluster(w, *resident[k], std::min(alone ? block_share : resident_share, within_budget()))) {
                ++k;
                continue;
            }
            for (const auto& block : resident[k]->blocks) keep_printed(*block);
            spare.push_back(std::move(resident[k]));
            resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }

    // Instructions after which the budget is looked at again: the first one beyond it.
    std::uint64_t within_budget() const {
        const std::uint64_t done = total_.load();
        return launch_.budget > done ? std::max(launch_.budget - done, std::uint64_t{1}) : 1;
    }

    // True if all its blocks have ended, or one failed.
    bool run_cluster(Worker& w, Cluster& cluster, std::uint64_t share) {
        const Block* left = nullptr;
        for (const auto& block : cluster.blocks) {
            if (!block->ended && !run_share(w, *block, share)) return true;
            if (!block->ended && left == nullptr) left = block.get();
        }
        if (left == nullptr) return true;
        if (can_go_on(cluster)) return false;
        note(deadlock_at(text_, *left));
        return true;
    }

    static bool can_go_on(const Cluster& cluster) {
        for (const auto& block : cluster.blocks)
            for (const Warp& warp : block->warps)
                for (int k = 0; k < warp.group_count; ++k)
                    if (warp.groups[k].state == State::ready) return true;
        return false;
    }

    // False if the block failed, or need not run since an earlier one did.
    bool run_share(Worker& w, Block& block, std::uint64_t share) {
        const std::uint64_t before = w.clock + w.work;
        if (block.number >= lowest_fault_.load()) return false;
        try {
            block.ended = run_block(w, block, share);
            const std::uint64_t own = w.clock + w.work - before, executed = total_.fetch_add(own) + own;
            if (!block.ended && executed > launch_.budget) fail_budget(block);
            if (block.ended) note_waits(w, block);
        } catch (const Fault& fault) {
            note(fault);
            return false;
        }
        return true;
    }

    [[noreturn]] void fail_budget(const Block& block) const {
        Fault fault;
        fault.kind = FaultKind::budget;
        fault.block = block.number;
        for (const Warp& warp : block.warps)
            if (warp.group_count != 0) {
                fault.instruction = warp.groups[warp.current % warp.group_count].pc;
                fault.thread = warp.number * lanes;
                break;
            }
        fault.waits = positions(text_, block);
        throw fault;
    }

    void note(const Fault& fault) {
        const std::lock_guard lock(mutex_);
        if (fault.block >= lowest_fault_.load()) return;
        lowest_fault_ = fault.block;
        fault_ = fault;
    }

    static void note_waits(Worker& w, const Block& block) {
        std::uint64_t passed = 0;
        for (const Warp& warp : block.warps) passed = std::max(passed, warp.passed);
        w.waited += passed;
        w.longest_wait = std::max(w.longest_wait, passed);
        if (w.link != nullptr) w.link->end_block(block);
        if (w.faults != nullptr) w.faults->end_block(block);
    }

    void keep_printed(const Block& block) {
        if (block.printed.empty()) return;
        const std::lock_guard lock(mutex_);
        printed_[block.number] += block.printed;
    }

    static void add_use(Record& record, const Worker& w) {
        if (w.link != nullptr) w.link->add_to(record.link);
        if (w.faults != nullptr) record.faults_in_turn = std::max(record.faults_in_turn, w.faults->longest());
    }

    Record finish(const Worker& first, const std::vector<Worker>& others) {
        Record record;
        record.executions = first.executions;
        record.waited = first.waited;
        record.longest_wait = first.longest_wait;
        record.printing = first.printing;
        record.heap = first.heap;
        for (const Worker& other : others) {
            for (std::size_t k = 0; k < record.executions.size(); ++k) record.executions[k] += other.executions[k];
            record.waited += other.waited;
            record.longest_wait = std::max(record.longest_wait, other.longest_wait);
            record.printing.calls += other.printing.calls;
            record.printing.lines += other.printing.lines;
            record.printing.longest = std::max(record.printing.longest, other.printing.longest);
            record.heap.taken += other.heap.taken;
            record.heap.given += other.heap.given;
            record.heap.longest = std::max(record.heap.longest, other.heap.longest);
            add_use(record, other);
        }
        add_use(record, first);
        for (const std::uint64_t count : record.executions) record.instructions += count;
        record.fault = fault_;
        if (races_ != nullptr) {
            record.races = races_->races();
            record.races_limited = races_->is_limited();
        }
        for (auto& [number, text] : printed_)
            if (number <= lowest_fault_.load()) record.printed.push_back(std::move(text));
        return record;
    }

    const Text& text_;
    Launch launch_;
    std::vector<Row> literals_;
    MemoryUse memory_;
    std::uint64_t clusters_ = 1;
    std::uint32_t cluster_size_ = 1;
    std::atomic<std::uint64_t> next_{0}, lowest_fault_{~0ull}, total_{0};
    std::mutex mutex_;
    Fault fault_;
    std::map<std::uint64_t, std::string> printed_;
    std::unique_ptr<RaceCheck> races_;
};

}  // namespace

Kernel::Kernel(std::vector<functional::Instruction> instructions) {
    if (instructions.empty()) throw std::invalid_argument("a kernel without instructions");
    const auto text = std::const_pointer_cast<Text>(decode(std::move(instructions)));
    for (Dense& d : text->text)
        if (d.run == nullptr) {
            d.run = refuse;
            d.flow = Flow::none;
        }
    text_ = text;
}

Record Kernel::execute(const Launch& launch) const { return Grid(*text_, launch).run(); }
const std::vector<std::string>& Kernel::refused() const { return text_->refused; }
bool Kernel::is_order_free() const { return text_->order_free; }

}  // namespace foretell::complete
