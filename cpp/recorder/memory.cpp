#include "recorder/memory.hpp"

#include <algorithm>
#include <cstring>

#include "common/simd.hpp"

namespace foretell::recorder {

namespace {

// Words of 32 bits below this are indices or counts (the rule of src/foretell/uses/program_run/recording.py).
constexpr std::uint32_t index_limit = 1U << 28;
constexpr unsigned not_blocking = 1;
constexpr std::size_t part_bytes = std::size_t{2} << 20;  // a multiple of Log::block_bytes
// Memory that does not steer is read to its end for the addresses in it only up to this size: larger memory is data.
constexpr std::size_t most_followed = std::size_t{16} << 20;

constexpr Address first_mapped = Address{1} << 20;  // below are no addresses of a device
constexpr std::size_t group_bytes = 4096;

FORETELL_CLONES bool any_inside(const char* bytes, std::size_t words, Address low, Address span) {
    bool any = false;
    for (std::size_t place = 0; place < words; ++place) {
        Address word;
        memcpy(&word, bytes + place * sizeof word, sizeof word);
        any |= word - low < span;
    }
    return any;
}

bool is_index(std::uint32_t word) { return word < index_limit; }

}  // namespace

void Memory::allocate(Address address, std::size_t bytes, bool host) {
    if (address == 0 || bytes == 0) return;
    Allocation& made = allocations_[address] = Allocation{};
    made.address = address;
    made.bytes = bytes;
    made.host = host;
    made.number = ++count_;
    lowest_ = std::min(lowest_, address);
    end_ = std::max(end_, address + bytes);
}

void Memory::release(Address address) { allocations_.erase(address); }

Allocation* Memory::at(Address address) {
    if (address < lowest_ || address >= end_) return nullptr;
    auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return nullptr;
    Allocation& item = std::prev(after)->second;
    return address - item.address < item.bytes ? &item : nullptr;
}

// Whether memory holds nothing but indices, counts, and addresses of the program's own memory.
bool Memory::steers(const char* bytes, std::size_t count) {
    const std::size_t whole = count / 8 * 8;
    for (std::size_t at = 0; at < whole; at += 8) {
        std::uint32_t halves[2];
        Address word;
        memcpy(halves, bytes + at, 8);
        memcpy(&word, bytes + at, 8);
        if (!(is_index(halves[0]) && is_index(halves[1])) && this->at(word) == nullptr) return false;
    }
    std::uint32_t last = 0;
    if (count - whole >= 4) memcpy(&last, bytes + whole, 4);
    return is_index(last);
}

// Most memory is data: words are compared with the range of all allocations in groups, without a branch for each.
void Memory::follow(const char* bytes, std::size_t count, std::vector<Allocation*>& waiting) {
    const Address low = std::max(lowest_, first_mapped), span = end_ > low ? end_ - low : 0;
    for (std::size_t at = 0; at + sizeof(Address) <= count; at += group_bytes) {
        const std::size_t own = std::min(group_bytes, count - at) / sizeof(Address);
        if (!any_inside(bytes + at, own, low, span)) continue;
        for (std::size_t place = 0; place < own; ++place) {
            Address word;
            memcpy(&word, bytes + at + place * sizeof word, sizeof word);
            if (Allocation* item = word < low ? nullptr : this->at(word)) waiting.push_back(item);
        }
    }
}

const std::vector<Allocation*>& Memory::reached(const std::string& parameters,
                                                const std::vector<Allocation*>& variables, bool fresh,
                                                Contents contents, const Driver& driver, Log& log) {
    waiting_ = variables;
    reached_.clear();
    ++turn_;
    follow(parameters.data(), parameters.size(), waiting_);
    while (!waiting_.empty()) {
        Allocation* item = waiting_.back();
        waiting_.pop_back();
        if (item->turn == turn_) continue;
        item->turn = turn_;
        reached_.push_back(item);
        if (contents == Contents::none || log.full() || !(fresh || !item->read)) continue;
        read(*item, contents, driver, log, waiting_);
    }
    return reached_;
}

bool Memory::prepare(const Driver& driver) {
    if (parts_[1] != nullptr) return true;
    if (stream_ == nullptr && driver.stream_create(&stream_, not_blocking) != 0) return false;
    for (char*& part : parts_)
        if (driver.pinned(reinterpret_cast<void**>(&part), part_bytes, 0) != 0) return false;
    return true;
}

// Reads an allocation part by part: one part is used while the next is on its way. False if it cannot be read; `use`
// returns whether it wants more.
template <class Use>
bool Memory::each_part(const Allocation& item, const Driver& driver, Use&& use) {
    if (item.host) {
        use(reinterpret_cast<const char*>(item.address), item.bytes);
        return true;
    }
    if (!prepare(driver)) return false;
    auto size = [&](std::size_t at) { return std::min(part_bytes, item.bytes - at); };
    auto ask = [&](std::size_t at) {
        return at >= item.bytes || driver.copy(parts_[at / part_bytes % 2], item.address + at, size(at), stream_) == 0;
    };
    bool wanted = true, readable = ask(0);
    for (std::size_t at = 0; readable && wanted && at < item.bytes; at += part_bytes) {
        readable = driver.stream_synchronise(stream_) == 0 && ask(at + part_bytes);
        if (readable) wanted = use(parts_[at / part_bytes % 2], size(at));
    }
    driver.stream_synchronise(stream_);
    return readable;
}

// Of `index`, what was read is kept until all of it is known to steer.
void Memory::read(Allocation& item, Contents contents, const Driver& driver, Log& log,
                  std::vector<Allocation*>& waiting) {
    const RelaxedCapture relaxed(driver);
    item.read = true;
    item.blocks.clear();
    kept_.clear();
    if (item.bytes > log.limit()) return log.note("contents beyond the limit were left out");
    bool wanted = item.bytes >= sizeof(std::uint32_t);
    auto add = [&](const char* bytes, std::size_t count) {
        for (std::size_t at = 0; at < count; at += Log::block_bytes)
            item.blocks.push_back(log.block(bytes + at, std::min(Log::block_bytes, count - at)));
    };
    const bool readable = each_part(item, driver, [&](const char* bytes, std::size_t count) {
        follow(bytes, count, waiting);
        if (contents == Contents::all) add(bytes, count);
        else if ((wanted = wanted && steers(bytes, count))) kept_.insert(kept_.end(), bytes, bytes + count);
        return contents == Contents::all || wanted || item.bytes <= most_followed;
    });
    if (!readable) {
        item.blocks.clear();
        return log.note("some memory of the device could not be read");
    }
    if (contents == Contents::index && wanted) add(kept_.data(), kept_.size());
    if (log.full()) log.note("contents beyond the limit were left out");
}

}  // namespace foretell::recorder
