// Plans of cuFFT and what they do.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "standin/closed/transform.hpp"
#include "standin/runtime/library_calls.hpp"

using namespace foretell::closed;
using foretell::standin::Family;
using foretell::standin::is_device_memory;
using foretell::standin::library_call;
using foretell::standin::LibraryCall;
using Kind = foretell::standin::Numbers;
using Size = std::size_t;

namespace {

enum Result : int { ok = 0, invalid_plan = 1, invalid_type = 3, invalid_value = 4, failed = 6, invalid_size = 8 };
enum Type : int { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };

constexpr int most_ranks = 3;

// Elements of one side: along each dimension, from one to the next, and from one transform to the next.
struct Side {
    std::array<Size, most_ranks> embedded = {1, 1, 1};
    Size step = 1, distance = 0;
    bool is_given = false;  // by the program; otherwise a transform in place pads rows of real numbers
};

struct Plan {
    int rank = 0;
    std::array<Size, most_ranks> lengths = {1, 1, 1};
    int type = 0;
    Size count = 1;
    Side in, out;
    void* stream = nullptr;
    Size elements() const { return lengths[0] * lengths[1] * lengths[2]; }
};

std::map<int, Plan>& plans() {
    static auto* all = new std::map<int, Plan>;
    return *all;
}

Plan* plan_of(int number) {
    const auto known = plans().find(number);
    return known == plans().end() ? nullptr : &known->second;
}

// Numbers of the last dimension on the side with half the spectrum.
Size half(Size length) { return length / 2 + 1; }

// The dense layout of a side; of real numbers in place, rows are padded to those of the spectrum.
Side dense(const Plan& plan, bool is_input, bool in_place) {
    const bool is_real = is_input ? plan.type == r2c || plan.type == d2z : plan.type == c2r || plan.type == z2d;
    const bool is_half = is_input ? plan.type == c2r || plan.type == z2d : plan.type == r2c || plan.type == d2z;
    Side side;
    side.embedded = plan.lengths;
    Size& last = side.embedded[static_cast<Size>(plan.rank) - 1];
    if (is_half) last = half(last);
    if (is_real && in_place) last = 2 * half(last);
    side.distance = side.embedded[0] * side.embedded[1] * side.embedded[2];
    return side;
}

// Where an element of a transform is: its place along each dimension (unused ones are last, of length 1).
Size offset(const Plan& plan, const Side& side, Size number, const std::array<Size, most_ranks>& at) {
    Size place = 0;
    for (Size axis = 0; axis < static_cast<Size>(plan.rank); ++axis) place = place * side.embedded[axis] + at[axis];
    return number * side.distance + place * side.step;
}

Size elements_of(const Plan& plan, const Side& side, const std::array<Size, most_ranks>& lengths) {
    std::array<Size, most_ranks> last;
    for (Size axis = 0; axis < most_ranks; ++axis) last[axis] = lengths[axis] - 1;
    return offset(plan, side, plan.count - 1, last) + 1;
}

template <class Body>
void for_each(const std::array<Size, most_ranks>& lengths, Body body) {
    for (Size i = 0; i < lengths[0]; ++i)
        for (Size j = 0; j < lengths[1]; ++j)
            for (Size k = 0; k < lengths[2]; ++k) body(std::array<Size, most_ranks>{i, j, k});
}

void along_axes(const Plan& plan, int sign, std::vector<Complex>& all) {
    Size stride = 1;
    for (Size axis = most_ranks; axis-- > 0; stride *= plan.lengths[axis]) {
        const Size length = plan.lengths[axis];
        if (length == 1) continue;
        const Transform transform(length, sign);
        std::vector<Complex> line(length);
        for (Size first = 0; first < all.size(); ++first) {
            if (first / stride % length != 0) continue;
            for (Size k = 0; k < length; ++k) line[k] = all[first + k * stride];
            transform(line);
            for (Size k = 0; k < length; ++k) all[first + k * stride] = line[k];
        }
    }
}

// The value at a place of which only half the spectrum is stored.
std::array<Size, most_ranks> mirrored(const Plan& plan, const std::array<Size, most_ranks>& at) {
    std::array<Size, most_ranks> other;
    for (Size axis = 0; axis < most_ranks; ++axis) other[axis] = (plan.lengths[axis] - at[axis]) % plan.lengths[axis];
    return other;
}

template <class T>
void executed(const Plan& plan, const T* in, T* out, int sign, const Side& from, const Side& to) {
    const bool from_real = plan.type == r2c || plan.type == d2z, to_real = plan.type == c2r || plan.type == z2d;
    const Size last = static_cast<Size>(plan.rank) - 1;
    const auto index = [&](const std::array<Size, most_ranks>& at) {
        return (at[0] * plan.lengths[1] + at[1]) * plan.lengths[2] + at[2];
    };
    // what is transformed in place is read whole before any of it is written
    std::vector<std::vector<Complex>> all(plan.count, std::vector<Complex>(plan.elements()));
    for (Size number = 0; number < plan.count; ++number)
        for_each(plan.lengths, [&](const std::array<Size, most_ranks>& at) {
            const bool is_stored = !to_real || at[last] < half(plan.lengths[last]);
            const Size place = offset(plan, from, number, is_stored ? at : mirrored(plan, at));
            const Complex value = from_real ? Complex(in[place]) : Complex(in[2 * place], in[2 * place + 1]);
            all[number][index(at)] = is_stored ? value : std::conj(value);
        });
    for (Size number = 0; number < plan.count; ++number) {
        along_axes(plan, sign, all[number]);
        auto stored = plan.lengths;
        if (from_real) stored[last] = half(stored[last]);
        for_each(stored, [&](const std::array<Size, most_ranks>& at) {
            const Complex& value = all[number][index(at)];
            const Size place = offset(plan, to, number, at);
            if (to_real) out[place] = static_cast<T>(value.real());
            else out[2 * place] = static_cast<T>(value.real()), out[2 * place + 1] = static_cast<T>(value.imag());
        });
    }
}

template <class T>
int run(const char* name, int number, int type, const void* in, void* out, int sign) {
    const Plan* known = plan_of(number);
    if (known == nullptr || known->rank == 0) return invalid_plan;
    if (known->type != type) return invalid_type;
    const Plan plan = *known;
    const bool from_real = type == r2c || type == d2z, to_real = type == c2r || type == z2d, in_place = in == out;
    const Side from = plan.in.is_given ? plan.in : dense(plan, true, in_place);
    const Side to = plan.out.is_given ? plan.out : dense(plan, false, in_place);
    auto stored = plan.lengths;
    if (from_real || to_real) stored[static_cast<Size>(plan.rank) - 1] = half(stored[static_cast<Size>(plan.rank) - 1]);
    const Size read = elements_of(plan, from, to_real ? stored : plan.lengths) * (from_real ? 1 : 2) * sizeof(T);
    const Size written = elements_of(plan, to, from_real ? stored : plan.lengths) * (to_real ? 1 : 2) * sizeof(T);
    if (!is_device_memory(in, read) || !is_device_memory(out, written)) return invalid_value;
    LibraryCall what{name,
                     Family::transform,
                     sizeof(T) == 4 ? Kind::f32 : Kind::f64,
                     {plan.elements(), static_cast<std::uint64_t>(plan.rank), from_real || to_real, plan.count}};
    what.written = out;
    what.written_bytes = written;
    const auto body = [=] { executed(plan, static_cast<const T*>(in), static_cast<T*>(out), sign, from, to); };
    return library_call(plan.stream, std::move(what), body) == 0 ? ok : failed;
}

int make(int number, int rank, const int* lengths, int type, int count) {
    Plan* plan = plan_of(number);
    if (plan == nullptr) return invalid_plan;
    if (rank < 1 || rank > most_ranks || count < 1) return invalid_size;
    for (const int known : {r2c, c2r, c2c, d2z, z2d, z2z})
        if (known == type) plan->type = type;
    if (plan->type != type) return invalid_type;
    for (Size axis = 0; axis < static_cast<Size>(rank); ++axis) {
        if (lengths[axis] < 1) return invalid_size;
        plan->lengths[axis] = static_cast<Size>(lengths[axis]);
    }
    plan->rank = rank;
    plan->count = static_cast<Size>(count);
    return ok;
}

int make_many(int number, int rank, const int* lengths, const int* in_embedded, int in_step, int in_distance,
              const int* out_embedded, int out_step, int out_distance, int type, int count) {
    if (const int error = make(number, rank, lengths, type, count)) return error;
    if (in_embedded == nullptr || out_embedded == nullptr) return ok;  // both are dense then
    Plan& plan = *plan_of(number);
    for (const bool is_input : {true, false}) {
        Side& side = is_input ? plan.in : plan.out;
        for (Size axis = 0; axis < static_cast<Size>(rank); ++axis)
            side.embedded[axis] = static_cast<Size>((is_input ? in_embedded : out_embedded)[axis]);
        side.step = static_cast<Size>(is_input ? in_step : out_step);
        side.distance = static_cast<Size>(is_input ? in_distance : out_distance);
        side.is_given = true;
    }
    return ok;
}

int create(int* number) {
    static int next = 1;
    if (number == nullptr) return invalid_value;
    *number = next++;
    plans()[*number] = Plan{};
    return ok;
}

template <class Make>
int created(int* number, Make make_it) {
    if (const int error = create(number)) return error;
    const int error = make_it(*number);
    if (error != ok) plans().erase(*number);
    return error;
}

// No memory is needed beside the plan.
int sized(int error, Size* bytes) {
    if (bytes != nullptr) *bytes = 0;
    return error;
}

}  // namespace

STANDIN_API int cufftCreate(int* number) { return create(number); }
STANDIN_API int cufftDestroy(int number) { return plans().erase(number) == 1 ? ok : invalid_plan; }
STANDIN_API int cufftPlan1d(int* number, int length, int type, int count) {
    return created(number, [&](int made) { return make(made, 1, &length, type, count); });
}
STANDIN_API int cufftPlan2d(int* number, int x, int y, int type) {
    const int lengths[] = {x, y};
    return created(number, [&](int made) { return make(made, 2, lengths, type, 1); });
}
STANDIN_API int cufftPlan3d(int* number, int x, int y, int z, int type) {
    const int lengths[] = {x, y, z};
    return created(number, [&](int made) { return make(made, 3, lengths, type, 1); });
}
STANDIN_API int cufftPlanMany(int* number, int rank, int* lengths, int* in, int in_step, int in_distance, int* out,
                              int out_step, int out_distance, int type, int count) {
    return created(number, [&](int made) {
        return make_many(made, rank, lengths, in, in_step, in_distance, out, out_step, out_distance, type, count);
    });
}
STANDIN_API int cufftMakePlan1d(int number, int length, int type, int count, Size* bytes) {
    return sized(make(number, 1, &length, type, count), bytes);
}
STANDIN_API int cufftMakePlan2d(int number, int x, int y, int type, Size* bytes) {
    const int lengths[] = {x, y};
    return sized(make(number, 2, lengths, type, 1), bytes);
}
STANDIN_API int cufftMakePlan3d(int number, int x, int y, int z, int type, Size* bytes) {
    const int lengths[] = {x, y, z};
    return sized(make(number, 3, lengths, type, 1), bytes);
}
STANDIN_API int cufftMakePlanMany(int number, int rank, int* lengths, int* in, int in_step, int in_distance, int* out,
                                  int out_step, int out_distance, int type, int count, Size* bytes) {
    return sized(make_many(number, rank, lengths, in, in_step, in_distance, out, out_step, out_distance, type, count),
                 bytes);
}
STANDIN_API int cufftSetStream(int number, void* stream) {
    Plan* plan = plan_of(number);
    if (plan == nullptr) return invalid_plan;
    plan->stream = stream;
    return ok;
}
STANDIN_API int cufftSetAutoAllocation(int number, int) { return plan_of(number) == nullptr ? invalid_plan : ok; }
STANDIN_API int cufftSetWorkArea(int number, void*) { return plan_of(number) == nullptr ? invalid_plan : ok; }
STANDIN_API int cufftGetSize(int number, Size* bytes) {
    return sized(plan_of(number) == nullptr ? invalid_plan : ok, bytes);
}
STANDIN_API int cufftGetVersion(int* version) {
    *version = 12000;
    return ok;
}
STANDIN_API int cufftExecC2C(int plan, void* in, void* out, int sign) {
    return run<float>("cufftExecC2C", plan, c2c, in, out, sign);
}
STANDIN_API int cufftExecR2C(int plan, void* in, void* out) {
    return run<float>("cufftExecR2C", plan, r2c, in, out, -1);
}
STANDIN_API int cufftExecC2R(int plan, void* in, void* out) {
    return run<float>("cufftExecC2R", plan, c2r, in, out, 1);
}
STANDIN_API int cufftExecZ2Z(int plan, void* in, void* out, int sign) {
    return run<double>("cufftExecZ2Z", plan, z2z, in, out, sign);
}
STANDIN_API int cufftExecD2Z(int plan, void* in, void* out) {
    return run<double>("cufftExecD2Z", plan, d2z, in, out, -1);
}
STANDIN_API int cufftExecZ2D(int plan, void* in, void* out) {
    return run<double>("cufftExecZ2D", plan, z2d, in, out, 1);
}
