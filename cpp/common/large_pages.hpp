// Memory for tables with random access: in huge pages, to avoid TLB misses.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace foretell {

template <typename T>
struct LargePages {
    using value_type = T;
    static constexpr std::size_t page = std::size_t{2} << 20;

    LargePages() = default;
    template <typename U>
    LargePages(const LargePages<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t wanted = count * sizeof(T), align = wanted >= page / 2 ? page : alignof(T);
        const std::size_t bytes = (wanted + align - 1) / align * align;
        void* const found = std::aligned_alloc(align, bytes);
        if (!found) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
        if (align == page) madvise(found, bytes, MADV_HUGEPAGE);  // a hint: a refusal does no harm
#endif
        return static_cast<T*>(found);
    }
    void deallocate(T* found, std::size_t) { std::free(found); }
    bool operator==(const LargePages&) const = default;
};

}  // namespace foretell
