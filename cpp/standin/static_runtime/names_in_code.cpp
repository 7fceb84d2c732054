// Functions of a linked runtime whose symbols were stripped. Each function of the interface tells tools its name: it has
// the address of the name as text. Those that compilers call for the program (__cudaRegisterFatBinary ...) do not, but
// for one; the others lie around it in an order that is the same from CUDA 12.0 to 13.5. Where functions begin is in the
// tables that exceptions need, which cannot be stripped.
#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "standin/static_runtime/object.hpp"

namespace foretell::standin {

#if defined(__x86_64__)

namespace {

using Address = std::uint64_t;

constexpr std::string_view anchor = "__cudaInitModule";
// The names of a runtime lie together: within this many bytes behind the anchor's, at least so many.
constexpr std::size_t reach = 32 << 10, least_names = 200;
// Functions that compilers call, in the order in which they lie.
constexpr std::array<std::string_view, 14> order = {
    "__cudaRegisterFatBinary",     "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary", "__cudaRegisterVar",
    "__cudaRegisterManagedVar",    "__cudaRegisterHostVar",      "__cudaRegisterFunction",    anchor,
    "__cudaPushCallConfiguration", "__cudaPopCallConfiguration", "__cudaGetKernel",           "__cudaLaunchKernel",
    "__cudaLaunchKernel_ptsz",     "__cudaRegisterUnifiedTable",
};
constexpr std::size_t anchor_place = 7, launch_place = 11;

using Names = std::unordered_map<Address, std::string>;

// Names of a runtime in constant data, by address; those of a table that only lists names are too few, or elsewhere.
Names names_behind(std::string_view data, std::size_t from, Address address) {
    Names names;
    const std::size_t end = std::min(data.size(), from + reach);
    for (std::size_t place = from; place < end;) {
        const std::size_t length = strnlen(data.data() + place, data.size() - place);
        const std::string_view text = data.substr(place, length);
        const bool alone = (address + place) % 8 == 0;  // each is an array of its own
        if (alone && (text.starts_with("cuda") || text == anchor)) names.emplace(address + place, text);
        place += length + 1;
    }
    return names;
}

Names runtime_names(const File& file, const std::vector<ElfW(Shdr)>& sections) {
    const std::string searched = '\0' + std::string(anchor) + '\0';
    for (const auto& section : sections) {
        constexpr auto excluded = SHF_WRITE | SHF_EXECINSTR;
        if ((section.sh_flags & SHF_ALLOC) == 0 || (section.sh_flags & excluded) != 0) continue;
        const std::string_view data = file.bytes_of(section);
        const char* place = data.data();
        const auto left = [&] { return static_cast<std::size_t>(data.data() + data.size() - place); };
        while (place != nullptr && left() >= searched.size()) {
            place = static_cast<const char*>(memmem(place, left(), searched.data(), searched.size()));
            if (place == nullptr) break;
            const std::size_t from = static_cast<std::size_t>(++place - data.data());
            Names names = names_behind(data, from, section.sh_addr);
            if (names.size() >= least_names) return names;
        }
    }
    return {};
}

// Where functions begin, in order: the table for binary search of .eh_frame_hdr.
std::vector<Address> beginnings(const File& file, const std::vector<ElfW(Shdr)>& sections,
                                const std::string_view names) {
    struct __attribute__((packed)) Head {
        unsigned char version, frame, count_form, table_form;
        std::int32_t frames;
        std::uint32_t count;
    };
    constexpr unsigned char four_bytes = 0x03, from_head = 0x3B;
    std::vector<Address> found;
    for (const auto& section : sections) {
        const std::string_view data = file.bytes_of(section);
        if (section.sh_name >= names.size() || data.size() < sizeof(Head)) continue;
        if (std::string_view(names.data() + section.sh_name) != ".eh_frame_hdr") continue;
        Head head;
        memcpy(&head, data.data(), sizeof head);
        if (head.count_form != four_bytes || head.table_form != from_head) continue;
        const std::size_t count = std::min<std::size_t>(head.count, (data.size() - sizeof head) / 8);
        for (std::size_t number = 0; number < count; ++number) {
            std::int32_t offset;
            memcpy(&offset, data.data() + sizeof head + 8 * number, sizeof offset);
            found.push_back(section.sh_addr + static_cast<Address>(static_cast<std::int64_t>(offset)));
        }
    }
    return found;
}

// Which function has the address of which name: LEA of a 64-bit register, relative to the next instruction.
std::unordered_map<Address, std::string> users(std::string_view code, Address address, const Names& names,
                                               const std::vector<Address>& begins) {
    Address low = ~0ULL, high = 0;
    for (const auto& [place, name] : names) low = std::min(low, place), high = std::max(high, place);
    std::unordered_map<Address, std::string> found;
    constexpr std::size_t length = 7;
    for (std::size_t place = 0; place + length <= code.size(); ++place) {
        if (code[place + 1] != '\x8D' || (code[place] & 0xFB) != 0x48 || (code[place + 2] & 0xC7) != 0x05) continue;
        std::int32_t offset;
        memcpy(&offset, code.data() + place + 3, sizeof offset);
        const Address target = address + place + length + static_cast<Address>(static_cast<std::int64_t>(offset));
        if (target < low || target > high) continue;
        const auto name = names.find(target);
        const auto after = std::upper_bound(begins.begin(), begins.end(), address + place);
        if (name == names.end() || after == begins.begin()) continue;
        found.emplace(*(after - 1), name->second);
    }
    return found;
}

// Whether code jumps to an address.
bool jumps_to(std::string_view code, Address address, Address target) {
    for (std::size_t place = 0; place + 5 <= code.size(); ++place) {
        std::int32_t offset;
        memcpy(&offset, code.data() + place + 1, sizeof offset);
        const Address next = address + place + 5;
        if (code[place] == '\xE9' && next + static_cast<Address>(static_cast<std::int64_t>(offset)) == target)
            return true;
    }
    return false;
}

struct Code {
    std::string_view bytes;
    Address address;
    std::string_view from(Address begin, std::size_t most) const {
        return begin < address ? std::string_view() : bytes.substr(std::min(bytes.size(), begin - address), most);
    }
};

// Names by position around the anchor; nothing where the one that can be checked is another.
void add_ordered(std::unordered_map<Address, std::string>& found, const Code& code,
                 const std::vector<Address>& begins) {
    Address middle = 0, launch = 0;
    for (const auto& [begin, name] : found) {
        if (name == anchor) middle = begin;
        if (name == "cudaLaunchKernel") launch = begin;
    }
    const auto here = std::lower_bound(begins.begin(), begins.end(), middle);
    const std::size_t before = static_cast<std::size_t>(here - begins.begin());
    if (middle == 0 || before < anchor_place || before - anchor_place + order.size() > begins.size()) return;
    const auto first = here - anchor_place;
    constexpr std::size_t shortest = 16;
    if (!jumps_to(code.from(first[launch_place], shortest), first[launch_place], launch)) return;
    for (std::size_t place = 0; place < order.size(); ++place) found[first[place]] = order[place];
}

}  // namespace

std::vector<RuntimeFunction> named_by_code(const File& file) {
    const auto sections = file.sections();
    const auto* header = file.at<ElfW(Ehdr)>(0);
    if (header == nullptr || header->e_shstrndx >= sections.size()) return {};
    const Names names = runtime_names(file, sections);
    if (names.empty()) return {};
    const auto begins = beginnings(file, sections, file.bytes_of(sections[header->e_shstrndx]));
    std::vector<RuntimeFunction> functions;
    for (const auto& section : sections) {
        if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
        const Code code{file.bytes_of(section), section.sh_addr};
        auto found = users(code.bytes, code.address, names, begins);
        add_ordered(found, code, begins);
        for (const auto& [begin, name] : found) {
            const auto next = std::upper_bound(begins.begin(), begins.end(), begin);
            functions.push_back({name, begin, next == begins.end() ? 0 : *next - begin});
        }
    }
    return functions;
}

#else

std::vector<RuntimeFunction> named_by_code(const File&) { return {}; }

#endif

}  // namespace foretell::standin
