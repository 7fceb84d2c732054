// Programs with the CUDA runtime linked into them: its functions are not called through the dynamic linker, so their first
// instructions are replaced by a jump to the functions of this library. The program's symbol table says where they are.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "standin/device.hpp"

namespace foretell::standin {

namespace {

// A jump to an absolute address.
#if defined(__aarch64__)
struct Jump {
    std::uint32_t load = 0x58000050;    // ldr x16, #8
    std::uint32_t branch = 0xD61F0200;  // br x16
    std::uint64_t target;
};
#elif defined(__x86_64__)
struct __attribute__((packed)) Jump {
    unsigned char jump[6] = {0xFF, 0x25, 0, 0, 0, 0};  // jmp [rip]
    std::uint64_t target;
};
#else
#error "static_runtime.cpp knows the jumps of AArch64 and x86-64"
#endif

// A file in memory, read only.
class File {
public:
    explicit File(const char* path) {
        const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
        struct stat status;
        if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
            size = static_cast<std::size_t>(status.st_size);
            void* got = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
            if (got != MAP_FAILED) data = static_cast<const char*>(got);
        }
        if (descriptor >= 0) close(descriptor);
    }
    ~File() {
        if (data != nullptr) munmap(const_cast<char*>(data), size);
    }
    File(const File&) = delete;
    template <class T>
    const T* at(std::size_t offset, std::size_t count = 1) const {
        const bool fits = data != nullptr && offset <= size && count <= (size - offset) / sizeof(T);
        return fits ? reinterpret_cast<const T*>(data + offset) : nullptr;
    }

    const char* data = nullptr;
    std::size_t size = 0;
};

struct Symbol {
    const char* name;
    std::uint64_t address, bytes;
};

// Functions of the CUDA runtime that a file defines; empty where it has none or was stripped.
std::vector<Symbol> runtime_functions(const File& file) {
    const auto* header = file.at<ElfW(Ehdr)>(0);
    if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
    const auto* sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
    std::vector<Symbol> functions;
    bool registers = false;
    for (unsigned place = 0; sections != nullptr && place < header->e_shnum; ++place) {
        const auto& section = sections[place];
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= header->e_shnum) continue;
        const std::size_t count = section.sh_size / sizeof(ElfW(Sym));
        const auto* symbols = file.at<ElfW(Sym)>(section.sh_offset, count);
        const auto& strings = sections[section.sh_link];
        const char* names = file.at<char>(strings.sh_offset, strings.sh_size);
        if (symbols == nullptr || names == nullptr) continue;
        for (std::size_t number = 0; number < count; ++number) {
            const auto& item = symbols[number];
            if (ELF64_ST_TYPE(item.st_info) != STT_FUNC || item.st_shndx == SHN_UNDEF) continue;
            if (item.st_name >= strings.sh_size) continue;
            const std::string_view name = names + item.st_name;
            if (!name.starts_with("cuda") && !name.starts_with("__cuda")) continue;
            registers |= name == "__cudaRegisterFatBinary";
            functions.push_back({names + item.st_name, item.st_value, item.st_size});
        }
    }
    return registers ? functions : std::vector<Symbol>();
}

bool redirect(std::uint64_t address, const void* target) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t first = address / page * page, bytes = address + sizeof(Jump) - first;
    if (mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    Jump jump;
    jump.target = reinterpret_cast<std::uint64_t>(target);
    auto* code = reinterpret_cast<char*>(address);
    memcpy(code, &jump, sizeof jump);
    __builtin___clear_cache(code, code + sizeof jump);
    return mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_EXEC) == 0;
}

int visit(dl_phdr_info* object, std::size_t, void* self) {
    const bool program = object->dlpi_name == nullptr || object->dlpi_name[0] == '\0';
    const File file(program ? "/proc/self/exe" : object->dlpi_name);
    Dl_info own;
    if (dladdr(reinterpret_cast<void*>(&visit), &own) != 0 &&
        reinterpret_cast<std::uint64_t>(own.dli_fbase) == object->dlpi_addr)
        return 0;
    for (const Symbol& item : runtime_functions(file))
        if (void* target = dlsym(self, item.name); target != nullptr && item.bytes >= sizeof(Jump))
            redirect(object->dlpi_addr + item.address, target);
    return 0;
}

// Before the constructors of the program, which register its kernels.
__attribute__((constructor)) void redirect_static_runtimes() {
    Dl_info own;
    if (getenv("FORETELL_STANDIN") == nullptr || dladdr(reinterpret_cast<void*>(&visit), &own) == 0) return;
    void* self = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (self == nullptr) return;
    dl_iterate_phdr(&visit, self);
    dlclose(self);
}

}  // namespace

}  // namespace foretell::standin
