// The memory that a launch occupies, counted while it runs. Private to complete execution.
#pragma once

#include <atomic>
#include <cstdint>

namespace foretell::complete {

// What the engine allocates itself is counted exactly. Pages of the regions exist when they are first accessed: the file
// behind them says how many, and is asked again before as many accesses were made as could exceed the limit.
class MemoryUse {
public:
    MemoryUse(std::uint64_t limit, int file, std::uint32_t threads);
    // Counts bytes of the engine; false: more than the limit.
    bool add(std::uint64_t bytes);
    // Accesses to pages that one thread may make before it asks again; 0: the limit is exceeded.
    std::int64_t affordable() const;

private:
    std::uint64_t occupied() const;
    std::uint64_t limit_, page_;
    int file_;
    std::uint32_t threads_;
    std::atomic<std::uint64_t> own_{0};
};

}  // namespace foretell::complete
