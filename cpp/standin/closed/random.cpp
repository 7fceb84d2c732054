// Generators of cuRAND on the host's side. Their numbers are of Philox (Salmon et al. 2011, 4x32, ten rounds), whatever
// generator is asked for: distributed alike, but not those of cuRAND.
#include <cmath>
#include <cstring>
#include <numbers>

#include "standin/runtime/library_calls.hpp"

using foretell::standin::Family;
using foretell::standin::is_device_memory;
using foretell::standin::library_call;
using foretell::standin::LibraryCall;
using Kind = foretell::standin::Numbers;
using Size = std::size_t;

namespace {

enum Status : int {
    ok = 0,
    not_initialised = 101,
    failed = 201,
    invalid_type = 103,
    odd_length = 105,
    out_of_range = 104
};

struct Generator {
    void* stream = nullptr;
    std::uint64_t seed = 0, next = 0;
    bool on_host = false;
};

// The numbers of one counter.
std::array<std::uint32_t, 4> philox(std::uint64_t counter, std::uint64_t seed) {
    std::array<std::uint32_t, 4> x = {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0,
                                      0};
    auto low = static_cast<std::uint32_t>(seed), high = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round, low += 0x9E3779B9u, high += 0xBB67AE85u) {
        const std::uint64_t a = 0xD2511F53ull * x[0], b = 0xCD9E8D57ull * x[2];
        x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ low, static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ high, static_cast<std::uint32_t>(a)};
    }
    return x;
}

// Words in a row, each from its place in the sequence of the generator.
class Words {
public:
    Words(std::uint64_t seed, std::uint64_t first) : seed_(seed), at_(first) {}
    std::uint32_t next() {
        if (at_ % 4 == 0 || !filled_) four_ = philox(at_ / 4, seed_), filled_ = true;
        return four_[at_++ % 4];
    }
    // In (0, 1], as cuRAND has it.
    double real() { return (next() + 1.0) * 0x1p-32; }
    double fine() { return ((static_cast<std::uint64_t>(next()) << 21 ^ next()) % (1ull << 53) + 1.0) * 0x1p-53; }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(fine()));
        return radius * std::cos(2 * std::numbers::pi * real());
    }

private:
    std::uint64_t seed_, at_;
    std::array<std::uint32_t, 4> four_ = {};
    bool filled_ = false;
};

constexpr std::uint64_t words_each = 4;  // at most, of one number

template <class T, class Body>
int filled(void* object, const char* name, T* to, Size count, bool normal, Body body) {
    if (object == nullptr) return not_initialised;
    auto& generator = *static_cast<Generator*>(object);
    if (count == 0) return ok;
    const std::uint64_t first = generator.next, seed = generator.seed;
    generator.next += words_each * count;
    const auto fill = [=] {
        Words words(seed, first);
        for (Size i = 0; i < count; ++i) to[i] = static_cast<T>(body(words));
    };
    if (generator.on_host) {
        fill();
        return ok;
    }
    if (!is_device_memory(to, count * sizeof(T))) return failed;
    LibraryCall what{name, Family::random, sizeof(T) == 8 ? Kind::f64 : Kind::f32, {count, normal, 1, 1}};
    what.written = to;
    what.written_bytes = count * sizeof(T);
    return library_call(generator.stream, std::move(what), fill) == 0 ? ok : failed;
}

template <class T>
int normal(void* object, const char* name, T* to, Size count, double mean, double deviation, bool of_logarithm) {
    if (count % 2 != 0) return odd_length;
    return filled(object, name, to, count, true, [=](Words& words) {
        const double value = mean + deviation * words.normal();
        return of_logarithm ? std::exp(value) : value;
    });
}

int create(void** result, int kind, bool on_host) {
    if (result == nullptr) return not_initialised;
    if (kind < 100 || kind >= 200) return invalid_type;  // quasi-random ones have an order that matters
    auto* made = new Generator;
    made->on_host = on_host;
    *result = made;
    return ok;
}

}  // namespace

STANDIN_API int curandCreateGenerator(void** result, int kind) { return create(result, kind, false); }
STANDIN_API int curandCreateGeneratorHost(void** result, int kind) { return create(result, kind, true); }
STANDIN_API int curandDestroyGenerator(void* object) {
    delete static_cast<Generator*>(object);
    return object == nullptr ? not_initialised : ok;
}
STANDIN_API int curandGetVersion(int* version) {
    *version = 10400;
    return ok;
}
STANDIN_API int curandSetStream(void* object, void* stream) {
    if (object == nullptr) return not_initialised;
    static_cast<Generator*>(object)->stream = stream;
    return ok;
}
STANDIN_API int curandSetPseudoRandomGeneratorSeed(void* object, unsigned long long seed) {
    if (object == nullptr) return not_initialised;
    static_cast<Generator*>(object)->seed = seed;
    static_cast<Generator*>(object)->next = 0;
    return ok;
}
STANDIN_API int curandSetGeneratorOffset(void* object, unsigned long long offset) {
    if (object == nullptr) return not_initialised;
    static_cast<Generator*>(object)->next = offset;
    return ok;
}
STANDIN_API int curandSetGeneratorOrdering(void* object, int) { return object == nullptr ? not_initialised : ok; }
STANDIN_API int curandGenerateSeeds(void* object) { return object == nullptr ? not_initialised : ok; }
STANDIN_API int curandGenerate(void* object, unsigned* to, Size count) {
    return filled(object, "curandGenerate", to, count, false, [](Words& words) { return words.next(); });
}
STANDIN_API int curandGenerateUniform(void* object, float* to, Size count) {
    return filled(object, "curandGenerateUniform", to, count, false, [](Words& words) { return words.real(); });
}
STANDIN_API int curandGenerateUniformDouble(void* object, double* to, Size count) {
    return filled(object, "curandGenerateUniformDouble", to, count, false, [](Words& words) { return words.fine(); });
}
STANDIN_API int curandGenerateNormal(void* object, float* to, Size count, float mean, float deviation) {
    return normal(object, "curandGenerateNormal", to, count, mean, deviation, false);
}
STANDIN_API int curandGenerateNormalDouble(void* object, double* to, Size count, double mean, double deviation) {
    return normal(object, "curandGenerateNormalDouble", to, count, mean, deviation, false);
}
STANDIN_API int curandGenerateLogNormal(void* object, float* to, Size count, float mean, float deviation) {
    return normal(object, "curandGenerateLogNormal", to, count, mean, deviation, true);
}
STANDIN_API int curandGenerateLogNormalDouble(void* object, double* to, Size count, double mean, double deviation) {
    return normal(object, "curandGenerateLogNormalDouble", to, count, mean, deviation, true);
}
