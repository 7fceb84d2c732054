// Functions of a linked runtime where the file has its symbol table.
#include "standin/static_runtime/object.hpp"

namespace foretell::standin {

std::vector<RuntimeFunction> named_by_symbols(const File& file) {
    const auto sections = file.sections();
    std::vector<RuntimeFunction> functions;
    bool registers = false;
    for (const auto& section : sections) {
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
        const std::size_t count = section.sh_size / sizeof(ElfW(Sym));
        const auto* symbols = file.at<ElfW(Sym)>(section.sh_offset, count);
        const std::string_view names = file.bytes_of(sections[section.sh_link]);
        if (symbols == nullptr || names.empty()) continue;
        for (std::size_t number = 0; number < count; ++number) {
            const auto& item = symbols[number];
            if (ELF64_ST_TYPE(item.st_info) != STT_FUNC || item.st_shndx == SHN_UNDEF) continue;
            if (item.st_name >= names.size()) continue;
            const std::string_view name = names.data() + item.st_name;
            if (!name.starts_with("cuda") && !name.starts_with("__cuda")) continue;
            registers |= name == "__cudaRegisterFatBinary";
            functions.push_back({std::string(name), item.st_value, item.st_size});
        }
    }
    return registers ? functions : std::vector<RuntimeFunction>();
}

}  // namespace foretell::standin
