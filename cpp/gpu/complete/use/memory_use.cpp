// The memory that a launch occupies.
#include "gpu/complete/use/memory_use.hpp"

#include <algorithm>
#include <limits>

#ifdef __linux__
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace foretell::complete {
namespace {

// The least accesses between two questions: they take no more time than these, and 1 MiB of pages is no excess.
constexpr std::int64_t least = 256;
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::uint64_t page_bytes() {
#ifdef __linux__
    return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#else
    return 4096;
#endif
}

}  // namespace

MemoryUse::MemoryUse(std::uint64_t limit, int file, std::uint32_t threads)
    : limit_(limit), page_(page_bytes()), file_(file), threads_(std::max(threads, 1u)) {}

std::uint64_t MemoryUse::occupied() const {
    std::uint64_t bytes = own_.load(std::memory_order_relaxed);
#ifdef __linux__
    struct stat status;
    if (file_ >= 0 && fstat(file_, &status) == 0) bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
#endif
    return bytes;
}

bool MemoryUse::add(std::uint64_t bytes) {
    own_ += bytes;
    return limit_ == ~0ull || occupied() <= limit_;
}

std::int64_t MemoryUse::affordable() const {
    if (limit_ == ~0ull || file_ < 0) return unlimited;
    const std::uint64_t now = occupied();
    if (now > limit_) return 0;
    return std::max(least, static_cast<std::int64_t>((limit_ - now) / page_ / threads_));
}

}  // namespace foretell::complete
