// A program or library as it lies in a file and in memory.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace foretell::standin {

// A file in memory, read only.
class File {
public:
    explicit File(const char* path);
    ~File();
    File(const File&) = delete;
    template <class T>
    const T* at(std::size_t offset, std::size_t count = 1) const {
        const bool fits = data_ != nullptr && offset <= size_ && count <= (size_ - offset) / sizeof(T);
        return fits ? reinterpret_cast<const T*>(data_ + offset) : nullptr;
    }
    // The section headers; empty where there are none.
    std::vector<ElfW(Shdr)> sections() const;
    // What a section has in the file; empty for one that has nothing there.
    std::string_view bytes_of(const ElfW(Shdr) &) const;

private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

// A function of the CUDA runtime; its address is that of the file.
struct RuntimeFunction {
    std::string name;
    std::uint64_t address, bytes;
};

// By the symbol table; empty where there is no runtime, or symbols were stripped.
std::vector<RuntimeFunction> named_by_symbols(const File&);
// By the names that functions of the runtime tell tools; empty for other architectures than x86-64.
std::vector<RuntimeFunction> named_by_code(const File&);

// Whether the calls of a runtime inside of this program or library come here.
bool has_redirected_runtime(const void* base);

}  // namespace foretell::standin
