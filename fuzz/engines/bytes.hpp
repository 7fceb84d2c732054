// The bytes of an input as numbers; after their end all are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace fuzz {

class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    bool any() const { return left_ > 0; }
    std::uint8_t next() { return left_ == 0 ? 0 : (--left_, *data_++); }
    bool truth() { return next() % 2 == 1; }
    // From `least` to `most`, both included; at most 256 different ones.
    int between(int least, int most) { return least + next() % (most - least + 1); }

    template <typename Number>
    Number raw() {
        std::uint8_t bytes[sizeof(Number)];
        for (std::uint8_t& byte : bytes) byte = next();
        Number value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    // A small number, or any one above 0: the wrappers refuse others.
    double positive() {
        if (truth()) return next();
        const double value = raw<double>();
        return value > 0 ? value : 1;
    }
    // A small whole number of either sign, or any one.
    std::int64_t whole() { return next() % 8 != 0 ? static_cast<std::int8_t>(next()) : raw<std::int64_t>(); }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

}  // namespace fuzz
