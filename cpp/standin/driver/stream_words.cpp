// Words of memory that streams write, and wait for.
#include <cstring>

#include "standin/device.hpp"

using namespace foretell::standin;

namespace {

using Address = unsigned long long;

// CUstreamWaitValue_flags
enum Wait : unsigned { at_least, equal, any_bit, not_or };

template <class Word>
bool holds(Word have, Word wanted, unsigned how) {
    switch (how & 3U) {
        case at_least: return static_cast<std::make_signed_t<Word>>(have - wanted) >= 0;
        case equal: return have == wanted;
        case any_bit: return (have & wanted) != 0;
        default: return static_cast<Word>(~(have | wanted)) != 0;
    }
}

template <class Word>
bool is_word(Device& gpu, Address address) {
    const Allocation* known = gpu.memory.find(address);
    return address % sizeof(Word) == 0 && known != nullptr && address + sizeof(Word) <= known->address + known->bytes;
}

// Sets cost the stream a start, as a small set does.
template <class Word>
int write(void* stream, Address address, Word value) {
    return call(
        [&](Device& gpu) -> int {
            if (!is_word<Word>(gpu, address)) return invalid_value;
            Word whole = value;
            constexpr unsigned element = 4;
            std::uint32_t parts[sizeof(Word) / element];
            std::memcpy(parts, &whole, sizeof whole);
            int error = success;
            for (std::size_t part = 0; part < sizeof(Word) / element && error == success; ++part)
                error = gpu.set_rows(reinterpret_cast<void*>(address + part * element), element, parts[part], element,
                                     1, 1, gpu.stream(stream), true);
            return error;
        },
        false);
}

// All that was submitted before is done. What waits for a word that only later work writes waits for ever here.
template <class Word>
int wait(void* stream, Address address, Word value, unsigned how) {
    return call(
        [&](Device& gpu) -> int {
            constexpr int empty_node = 5;
            if (!is_word<Word>(gpu, address)) return invalid_value;
            return gpu.submit(gpu.stream(stream), empty_node, [address, value, how](std::uint32_t) -> int {
                const Word have = *reinterpret_cast<const volatile Word*>(address);
                if (!holds(have, value, how)) missing("a wait of a stream for a word that is written later");
                return success;
            });
        },
        false);
}

// CUstreamBatchMemOpParams
struct WordOperation {
    enum Kind : int { wait_32 = 1, write_32 = 2, flush = 3, wait_64 = 4, write_64 = 5, barrier = 6 };
    int kind, padding;
    Address address;
    std::uint64_t value;
    unsigned flags, more;
    Address alias;
    std::uint64_t reserved[1];
};
static_assert(sizeof(WordOperation) == 48);

int one(void* stream, const WordOperation& item) {
    switch (item.kind) {
        case WordOperation::wait_32:
            return wait(stream, item.address, static_cast<std::uint32_t>(item.value), item.flags);
        case WordOperation::write_32: return write(stream, item.address, static_cast<std::uint32_t>(item.value));
        case WordOperation::wait_64: return wait(stream, item.address, item.value, item.flags);
        case WordOperation::write_64: return write(stream, item.address, item.value);
        case WordOperation::flush:
        case WordOperation::barrier: return success;
        default: return invalid_value;
    }
}

}  // namespace

#define WORDS(BITS)                                                                                                    \
    STANDIN_API int cuStreamWriteValue##BITS##_v2(void* stream, Address address, std::uint##BITS##_t value, unsigned) { \
        return write(stream, address, value);                                                                          \
    }                                                                                                                  \
    STANDIN_API int cuStreamWriteValue##BITS(void* stream, Address address, std::uint##BITS##_t value, unsigned) {     \
        return write(stream, address, value);                                                                          \
    }                                                                                                                  \
    STANDIN_API int cuStreamWaitValue##BITS##_v2(void* stream, Address address, std::uint##BITS##_t value,             \
                                                 unsigned how) {                                                       \
        return wait(stream, address, value, how);                                                                      \
    }                                                                                                                  \
    STANDIN_API int cuStreamWaitValue##BITS(void* stream, Address address, std::uint##BITS##_t value, unsigned how) {  \
        return wait(stream, address, value, how);                                                                      \
    }
WORDS(32)
WORDS(64)

STANDIN_API int cuStreamBatchMemOp_v2(void* stream, unsigned count, const WordOperation* items, unsigned) {
    if (items == nullptr) return invalid_value;
    int error = success;
    for (unsigned place = 0; place < count && error == success; ++place) error = one(stream, items[place]);
    return error;
}
STANDIN_API int cuStreamBatchMemOp(void* stream, unsigned count, const WordOperation* items, unsigned flags) {
    return cuStreamBatchMemOp_v2(stream, count, items, flags);
}
