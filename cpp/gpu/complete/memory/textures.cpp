// Textures and surfaces (CUDA programming guide, "Texture Fetching"): rows of an image in global memory.
#include "gpu/texture.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/complete/memory/access.hpp"
#include "gpu/functional/arithmetic/float_semantics.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {
namespace {

using semantics::to_bits;
using semantics::to_float;

constexpr std::uint64_t upper = ~0xffffffffull;
constexpr int cube = 4;                // in the place of dimensions
constexpr int array_mark = 0x10;       // of dimensions: the first coordinate is a layer
constexpr float fraction_steps = 256;  // of the weights of a linear filter: 8 bits

// The object whose handle the instruction has: its bytes are in one of the regions.
TextureObject object_of(Worker& w, const Dense& d, int lane) {
    const std::uint32_t handle = w.source(d, 2)[lane];
    for (const Region& r : w.launch->regions) {
        std::uint64_t at = (r.address & upper) | handle;
        if (at < r.address) at += 1ull << 32;
        if (at + sizeof(TextureObject) > r.address + r.size) continue;
        TextureObject object;
        std::memcpy(static_cast<void*>(&object), r.host + (at - r.address), sizeof object);
        if (object.mark == TextureObject::known) return object;
    }
    w.fail(d, FaultKind::illegal, lane, "an access to a texture or surface that does not exist");
}

// The element of a dimension that a coordinate is taken to; -1: the border.
std::int64_t place_of(const TextureObject& object, std::int64_t at, std::uint32_t size, std::uint32_t mode) {
    const auto count = static_cast<std::int64_t>(std::max(size, 1u));
    if (at >= 0 && at < count) return at;
    if (mode == TextureObject::border) return -1;
    if (!object.normalized || mode == TextureObject::clamp) return std::clamp<std::int64_t>(at, 0, count - 1);
    const std::int64_t period = mode == TextureObject::wrap ? count : 2 * count;
    const std::int64_t inside = (at % period + period) % period;
    return inside < count ? inside : period - 1 - inside;
}

using Texel = std::array<double, 4>;

double channel_value(const TextureObject& object, const std::uint8_t* from) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from, object.bytes);
    if (object.kind == TextureObject::real) return object.bytes == 2 ? semantics::Half::widened(bits) : to_float(bits);
    const double most = std::ldexp(1.0, static_cast<int>(8 * object.bytes)) - 1;
    if (object.kind == TextureObject::unsigned_integer) return object.as_fraction ? bits / most : bits;
    const auto value =
        static_cast<double>(static_cast<std::int32_t>(bits << (32 - 8 * object.bytes)) >> (32 - 8 * object.bytes));
    return object.as_fraction ? std::max(value / ((most - 1) / 2), -1.0) : value;
}

// The colour of the border in the format of the elements, as an H200 gives it (validation/h200/benchmark-programs): a
// fraction is the nearest one of an integer, the smaller one of two; an integer has the lower bits of the number's word, and a half
// is cut.
double border_value(const TextureObject& object, std::uint32_t channel) {
    const float given = object.border_color[channel];
    const bool is_signed = object.kind == TextureObject::signed_integer;
    if (object.kind == TextureObject::real)
        return object.bytes == 2 ? semantics::Half::widened(semantics::Half::narrowed(given, true)) : given;
    if (!object.as_fraction) {
        const std::uint32_t part = semantics::sign_extended(to_bits(given), 8 * object.bytes, !is_signed);
        return is_signed ? static_cast<double>(static_cast<std::int32_t>(part)) : part;
    }
    const auto most = static_cast<float>(std::ldexp(1.0, static_cast<int>(8 * object.bytes) - (is_signed ? 1 : 0)) - 1);
    const float inside = std::clamp(given, is_signed ? -1.0f : 0.0f, 1.0f), scaled = std::fabs(inside) * most;
    return std::copysign(std::ceil(static_cast<double>(scaled) - 0.5), inside) / static_cast<double>(most);
}

class Sampler {
public:
    Sampler(Worker& w, const Dense& d, int lane) : w_(w), d_(d), lane_(lane), object_(object_of(w, d, lane)) {}

    Texel element(std::int64_t x, std::int64_t y, std::int64_t z) {
        const bool outside = x < 0 || y < 0 || z < 0;
        Texel result{};
        if (outside) {
            for (std::uint32_t k = 0; k < object_.channels; ++k) result[k] = border_value(object_, k);
            return result;
        }
        const std::uint32_t size = object_.bytes * object_.channels;
        const std::uint64_t at = object_.address + static_cast<std::uint64_t>(z) * object_.slice +
                                 static_cast<std::uint64_t>(y) * object_.pitch + static_cast<std::uint64_t>(x) * size;
        const std::uint8_t* from = global_bytes(w_, d_, lane_, at, size, false);
        for (std::uint32_t k = 0; k < object_.channels; ++k)
            result[k] = channel_value(object_, from + k * object_.bytes);
        return result;
    }

    // TLD: the element itself; outside of the memory it is zero.
    Texel fetch(const std::int32_t* at, int dimensions) {
        for (int k = 0; k < dimensions; ++k)
            if (at[k] < 0 || static_cast<std::uint32_t>(at[k]) >= std::max(size(k), 1u)) return {};
        return element(at[0], dimensions > 1 ? at[1] : 0, dimensions > 2 ? at[2] : 0);
    }

    // A direction, by its largest coordinate, in which the sides of a cube are layers (CUDA C++ programming guide, cubemap textures).
    Texel direction(const float* at, std::uint32_t cube) {
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (std::fabs(at[k]) > std::fabs(at[axis])) axis = k;
        const bool behind = at[axis] < 0;
        const float across[] = {behind ? at[2] : -at[2], at[0], behind ? -at[0] : at[0]};
        const float down[] = {-at[1], behind ? -at[2] : at[2], -at[1]};
        const float most = std::fabs(at[axis]);
        float place[] = {(across[axis] / most + 1) / 2, (down[axis] / most + 1) / 2};
        if (!object_.normalized)
            for (int k = 0; k < 2; ++k) place[k] *= static_cast<float>(size(k));
        for (std::uint32_t& mode : object_.modes) mode = TextureObject::clamp;
        return sample(place, 2, 6 * cube + 2 * static_cast<std::uint32_t>(axis) + (behind ? 1 : 0));
    }

    Texel sample(const float* at, int dimensions, std::uint32_t layer) {
        std::int64_t first[3] = {}, second[3] = {};
        double weight[3] = {};
        for (int k = 0; k < dimensions && size(k) != 0; ++k) {
            const float scaled = object_.normalized ? at[k] * static_cast<float>(size(k)) : at[k];
            const double shifted = object_.linear
                                       ? std::round(static_cast<double>(scaled) * fraction_steps) / fraction_steps - 0.5
                                       : static_cast<double>(scaled);
            const double below = std::floor(std::clamp(shifted, -1e9, 1e9));
            weight[k] = object_.linear ? shifted - below : 0;
            first[k] = place_of(object_, static_cast<std::int64_t>(below), size(k), object_.modes[k]);
            second[k] = place_of(object_, static_cast<std::int64_t>(below) + 1, size(k), object_.modes[k]);
        }
        if (dimensions < 3) first[2] = std::min(layer, std::max(object_.depth, 1u) - 1);
        return object_.linear ? mixed(first, second, weight) : element(first[0], first[1], first[2]);
    }

    // TLD4: a channel of the four elements that a linear filter would mix, from the lower left one on, against the clock.
    Texel gather(const float* at, int channel) {
        std::int64_t place[2][2];
        for (int k = 0; k < 2; ++k) {
            const float scaled = object_.normalized ? at[k] * static_cast<float>(size(k)) : at[k];
            const auto below = static_cast<std::int64_t>(std::floor(scaled - 0.5f));
            for (int next = 0; next < 2; ++next)
                place[k][next] = place_of(object_, below + next, size(k), object_.modes[k]);
        }
        const auto one = [&](int x, int y) { return element(place[0][x], place[1][y], 0)[channel]; };
        return {one(0, 1), one(1, 1), one(1, 0), one(0, 0)};
    }

    std::uint32_t bits(double value) const {
        const bool integer = object_.kind != TextureObject::real && !object_.as_fraction;
        return integer ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                       : to_bits(static_cast<float>(value));
    }

private:
    std::uint32_t size(int k) const { return k == 0 ? object_.width : k == 1 ? object_.height : object_.depth; }

    // The weights of four elements of a plane are whole 256ths, too: the H200 rounds the product, and the others are what
    // is left (validation/h200/hopper). Weights between planes were not compared with a GPU.
    Texel mixed(const std::int64_t* first, const std::int64_t* second, const double* weight) {
        const double both = std::floor(weight[0] * weight[1] * fraction_steps + 0.5) / fraction_steps;
        const double shares[] = {1 - weight[0] - weight[1] + both, weight[0] - both, weight[1] - both, both};
        Texel result{};
        for (int corner = 0; corner < 8; ++corner) {
            std::int64_t at[3];
            for (int k = 0; k < 3; ++k) at[k] = corner >> k & 1 ? second[k] : first[k];
            const double share = shares[corner & 3] * (corner >> 2 != 0 ? weight[2] : 1 - weight[2]);
            if (share == 0) continue;
            const Texel own = element(at[0], at[1], at[2]);
            for (int k = 0; k < 4; ++k) result[k] += share * own[k];
        }
        for (double& value : result) value = kept(value);
        return result;
    }

    // A mean of FP16 is FP16, one of bytes as fractions has 16 bits (H200); other types were not compared.
    double kept(double value) const {
        constexpr double most = 0xffff, sum_of_bytes = 255 * 256;  // the mean is a whole number of the latter
        if (object_.kind == TextureObject::real)
            return object_.bytes == 2 ? semantics::Half::widened(semantics::Half::narrowed(value)) : value;
        const bool is_byte = object_.kind == TextureObject::unsigned_integer && object_.bytes == 1;
        if (!object_.as_fraction || !is_byte) return value;
        return std::floor(std::round(value * sum_of_bytes) * most / sum_of_bytes + 0.5) / most;
    }

    Worker& w_;
    const Dense& d_;
    int lane_;
    TextureObject object_;
};

// Channels of the mask, one after the other: the first two from `to` on, the others in the first destination.
void put(Worker& w, const Dense& d, int lane, const Sampler& sampler, const Texel& texel) {
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        if (!(d.immediate >> k & 1)) continue;
        const std::uint32_t row =
            count < 2 ? d.to + static_cast<std::uint32_t>(count) : d.target + static_cast<std::uint32_t>(count - 2);
        w.rows[0][row].v[lane] = sampler.bits(texel[k]);
        ++count;
    }
}

// Where an access to a surface lies in global memory; 0: outside, and without effect.
std::uint64_t surface_place(Worker& w, const Dense& d, int lane) {
    const TextureObject object = object_of(w, d, lane);
    const std::uint32_t sizes[] = {object.width * object.bytes * object.channels, object.height, object.depth};
    const std::uint64_t steps[] = {1, object.pitch, object.slice};
    std::uint64_t result = object.address;
    for (int k = 0; k < d.sources; ++k) {
        const int axis = d.bank != 0 && k == d.sources - 1 ? 2 : k;
        auto at = static_cast<std::int64_t>(static_cast<std::int32_t>(w.source_row(d, 1, k)[lane]));
        const std::int64_t last = std::int64_t{std::max(sizes[axis], 1u)} - (axis == 0 ? d.bytes : 1);
        if (at < 0 || at > last) {
            if (d.other)
                fail_access(w, d, FaultKind::out_of_bounds, lane, result + static_cast<std::uint64_t>(at) * steps[axis],
                            d.bytes, d.flag, global_space);
            if (d.real) return 0;
            at = std::clamp<std::int64_t>(at, 0, last);
        }
        result += static_cast<std::uint64_t>(at) * steps[axis];
    }
    return result;
}

}  // namespace

// TEX.LL R14, R12, R2, R12, UR4, 0x0, 2D: samples at the coordinates from R2 on. Modes: 0 TEX, 1 TLD, 2 TLD4.
void read_texture(Worker& w, const Dense& d, Mask m) {
    const int first = d.sources & array_mark ? 1 : 0, how = d.sources & ~array_mark, dimensions = std::min(how, 3);
    each(m, [&](int l) {
        Sampler sampler(w, d, l);
        float at[3] = {};
        std::int32_t whole[3] = {};
        for (int k = 0; k < dimensions; ++k) {
            const std::uint32_t bits = w.source_row(d, 1, first + k)[l];
            at[k] = to_float(bits);
            whole[k] = static_cast<std::int32_t>(bits);
        }
        const std::uint32_t layer = first ? w.source(d, 1)[l] & 0xffff : 0;
        if (how == cube) put(w, d, l, sampler, sampler.direction(at, layer));
        else if (d.mode == 1) put(w, d, l, sampler, sampler.fetch(whole, dimensions));
        else if (d.mode == 2) put(w, d, l, sampler, sampler.gather(at, d.bank));
        else put(w, d, l, sampler, sampler.sample(at, dimensions, layer));
    });
}

// SULD.D.BA.2D R6, [R6], UR5 and SUST.D.BA.2D [R10], R8, UR5: the first coordinate is in bytes.
void access_surface(Worker& w, const Dense& d, Mask m) {
    each(m, [&](int l) {
        const std::uint64_t place = surface_place(w, d, l);
        std::uint32_t words[4] = {};
        if (d.flag && place != 0) {
            for (int k = 0; k < 4 && 4 * k < d.bytes; ++k) words[k] = w.source_row(d, 0, k)[l];
            std::memcpy(global_bytes(w, d, l, place, d.bytes, true), words, d.bytes);
        }
        if (d.flag) return;
        if (place != 0) std::memcpy(words, global_bytes(w, d, l, place, d.bytes, false), d.bytes);
        for (int k = 0; k == 0 || 4 * k < d.bytes; ++k) w.destination(d, k)[l] = words[k];
    });
}

}  // namespace foretell::complete
