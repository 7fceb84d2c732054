#include "standin/static_runtime/object.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace foretell::standin {

File::File(const char* path) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
        size_ = static_cast<std::size_t>(status.st_size);
        void* got = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (got != MAP_FAILED) data_ = static_cast<const char*>(got);
    }
    if (descriptor >= 0) close(descriptor);
}

File::~File() {
    if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

std::vector<ElfW(Shdr)> File::sections() const {
    const auto* header = at<ElfW(Ehdr)>(0);
    if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
    const auto* first = at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
    if (first == nullptr) return {};
    return {first, first + header->e_shnum};
}

std::string_view File::bytes_of(const ElfW(Shdr) & section) const {
    const char* bytes = section.sh_type == SHT_NOBITS ? nullptr : at<char>(section.sh_offset, section.sh_size);
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, section.sh_size);
}

}  // namespace foretell::standin
