// Zeroed memory in whole pages from the system, committed on first touch.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace foretell::trace {

// Ends the program with a message that the tool parses; defined by the user of the engines.
[[noreturn]] void fail(const char* message);

inline void* raw_pages(std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("no memory left for the analysis");
    return memory;
}

template <class T>
T* pages(std::size_t count) {
    return static_cast<T*>(raw_pages(count * sizeof(T)));
}

// An array that grows in place, or moves; new elements are zero.
template <class T>
class Growing {
public:
    Growing() = default;
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    ~Growing() {
        if (items_) munmap(items_, reserved_ * sizeof(T));
    }
    T& operator[](std::size_t at) { return items_[at]; }
    const T& operator[](std::size_t at) const { return items_[at]; }
    std::size_t size() const { return size_; }

    void grow(std::size_t size) {
        if (size > reserved_) {
            std::size_t wanted = reserved_ ? reserved_ : 4096;
            while (wanted < size) wanted *= 2;
            void* memory = items_ ? mremap(items_, reserved_ * sizeof(T), wanted * sizeof(T), MREMAP_MAYMOVE)
                                  : raw_pages(wanted * sizeof(T));
            if (memory == MAP_FAILED) fail("no memory left for the analysis");
            items_ = static_cast<T*>(memory);
            reserved_ = wanted;
        }
        if (size > size_) size_ = size;
    }

private:
    T* items_ = nullptr;
    std::size_t size_ = 0;
    std::size_t reserved_ = 0;
};

// A sparse array over the numbers below 2^42: two-level tables, allocated on demand.
template <class T>
class Directory {
public:
    Directory() : top_(pages<T*>(std::size_t{1} << 21)) {}
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    T* at(std::uint64_t number) {
        T*& low = top_[(number >> 21) & 0x1fffff];
        if (low == nullptr) low = pages<T>(std::size_t{1} << 21);
        return &low[number & 0x1fffff];
    }

private:
    T** top_;
};

}  // namespace foretell::trace
