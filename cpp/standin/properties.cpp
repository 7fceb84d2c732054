#include "standin/properties.hpp"

namespace foretell::standin {

namespace {

// Writes fields one after the other, each at a multiple of its size.
class Layout {
public:
    Layout(Device& gpu, void* result) : gpu_(gpu), start_(static_cast<char*>(result)) {}

    void text(const std::string& value, std::size_t bytes) {
        memset(start_ + offset_, 0, bytes);
        memcpy(start_ + offset_, value.data(), std::min(bytes - 1, value.size()));
        offset_ += bytes;
    }
    void zeros(std::size_t bytes) {
        memset(start_ + offset_, 0, bytes);
        offset_ += bytes;
    }
    template <class T>
    void value(T number) {
        offset_ = (offset_ + sizeof number - 1) / sizeof number * sizeof number;
        memcpy(start_ + offset_, &number, sizeof number);
        offset_ += sizeof number;
    }
    // Attributes of the driver, as int or as size_t.
    void ints(std::initializer_list<int> attributes) {
        for (const int number : attributes) value(static_cast<int>(gpu_.attributes[number]));
    }
    void size(int attribute) { value(static_cast<std::size_t>(gpu_.attributes[attribute])); }

private:
    Device& gpu_;
    char* start_;
    std::size_t offset_ = 0;
};

void textures_and_surfaces(Layout& to, bool older) {
    to.ints({21, 77});
    if (older) to.ints({69});
    to.ints({22, 23, 73, 74, 70, 71, 72, 45, 46, 24, 25, 26, 47, 48, 49, 52, 42, 43, 27, 28, 29, 53, 54});
    to.ints({55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68});
    to.size(30);
}

}  // namespace

void fill_properties(Device& gpu, void* result, bool older) {
    Layout to(gpu, result);
    to.text(gpu.name, 256);
    to.zeros(16 + 8);
    to.value(0U);
    to.value(static_cast<std::size_t>(gpu.memory.device_bytes()));
    to.size(8);
    to.ints({12, 10});
    to.size(11);
    to.ints({1, 2, 3, 4, 5, 6, 7});
    if (older) to.ints({13});
    to.size(9);
    to.ints({75, 76});
    to.size(14);
    to.size(51);
    if (older) to.ints({15});
    to.ints({16});
    if (older) to.ints({17});
    to.ints({18, 19});
    if (older) to.ints({20});
    textures_and_surfaces(to, older);
    to.ints({31, 32, 33, 34, 50, 35, 40, 41});
    if (older) to.ints({36});
    to.ints({37, 38, 108, 39, 78, 79, 80});
    to.size(81);
    to.ints({82, 83, 84, 85, 86});
    if (older) to.ints({87});
    to.ints({88, 89, 90, 91, 95});
    if (older) to.ints({96});
    to.size(97);
    to.ints({100, 101, 106, 109});
    to.size(111);
    to.ints({99, 112, 113, 114, 115, 116, 117, 118, 119, 121, 125, 120, 129});
    to.zeros(63 * sizeof(int));  // in both: fields without a number here, and reserved ones
}

}  // namespace foretell::standin
