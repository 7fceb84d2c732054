// Code that a program links while it runs: its inputs become one image, which is linked when it is loaded.
#include <fstream>
#include <iterator>

#include "standin/driver/same.hpp"

using namespace foretell::standin;
using Size = std::size_t;

namespace {

// Several inputs: a mark, the size of the whole, how many there are, and each after its size
// (uses/program_run/modules.py).
constexpr std::uint32_t several_inputs = 0x4B4C5446U;
constexpr int last_of_images = 2, last_known = 4;  // cubin, PTX, fatbin; object of the host, library

struct Link {
    std::vector<std::string> inputs;
    bool has_objects = false;
    std::string image;
};

void add(Link& link, int kind, std::string input, const char* function) {
    if (kind > last_known) missing((std::string(function) + " of what is compiled while it is linked").c_str());
    link.has_objects |= kind > last_of_images;
    link.inputs.push_back(std::move(input));
}

template <class Number>
void append(std::string& to, Number value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string together(const std::vector<std::string>& inputs) {
    std::string body;
    for (const std::string& input : inputs) {
        append(body, static_cast<std::uint64_t>(input.size()));
        body += input;
    }
    std::string image;
    append(image, several_inputs);
    append(image, static_cast<std::uint32_t>(inputs.size()));
    append(image, static_cast<std::uint64_t>(2 * sizeof(std::uint64_t) + body.size()));
    return image + body;
}

}  // namespace

STANDIN_API int cuLinkCreate_v2(unsigned, int*, void**, void** result) {
    if (result == nullptr) return invalid_value;
    *result = new Link;
    return success;
}
STANDIN_API int cuLinkAddData_v2(void* link, int kind, void* data, Size bytes, const char*, unsigned, int*, void**) {
    if (link == nullptr || data == nullptr) return invalid_value;
    add(*static_cast<Link*>(link), kind, std::string(static_cast<const char*>(data), bytes), "cuLinkAddData");
    return success;
}
STANDIN_API int cuLinkAddFile_v2(void* link, int kind, const char* path, unsigned, int*, void**) {
    constexpr int file_not_found = 301;
    if (link == nullptr || path == nullptr) return invalid_value;
    std::ifstream file(path, std::ios::binary);
    if (!file) return file_not_found;
    add(*static_cast<Link*>(link), kind, std::string(std::istreambuf_iterator<char>(file), {}), "cuLinkAddFile");
    return success;
}
// One input is loaded as it is, unless it has the code of a device beside that of a host.
STANDIN_API int cuLinkComplete(void* link, void** image, Size* bytes) {
    if (link == nullptr) return invalid_value;
    auto& own = *static_cast<Link*>(link);
    if (own.inputs.empty()) return invalid_value;
    own.image = own.inputs.size() == 1 && !own.has_objects ? own.inputs[0] : together(own.inputs);
    if (image != nullptr) *image = own.image.data();
    if (bytes != nullptr) *bytes = own.image.size();
    return success;
}
STANDIN_API int cuLinkDestroy(void* link) {
    delete static_cast<Link*>(link);
    return success;
}
