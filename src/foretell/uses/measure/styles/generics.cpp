// Algorithms of the standard library, small vector classes and templates over sizes.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

template <std::size_t N>
struct Polynomial {
    std::array<double, N> c;
    double operator()(double x) const {
        double sum = 0;
        for (std::size_t k = N; k-- > 0;) sum = sum * x + c[k];
        return sum;
    }
};

void polynomial_values(const Polynomial<12>& p, const std::vector<double>& x, std::vector<double>& y) {
    std::transform(x.begin(), x.end(), y.begin(), p);
}

void lower_bounds(const std::vector<int>& sorted, const std::vector<int>& keys, std::vector<int>& places) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        places[i] = static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin());
}

struct Vec3 {
    double x, y, z;
    Vec3 operator+(const Vec3& o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vec3 operator*(double s) const { return {s * x, s * y, s * z}; }
    Vec3& operator+=(const Vec3& o) { return *this = *this + o; }
    double dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

void attract(const std::vector<Vec3>& at, const std::vector<double>& mass, std::vector<Vec3>& acceleration) {
    for (std::size_t i = 0; i < at.size(); ++i) {
        Vec3 sum{0, 0, 0};
        for (std::size_t j = 0; j < at.size(); ++j) {
            const Vec3 d = at[j] - at[i];
            const double r2 = d.dot(d) + 1e-3;
            sum += d * (mass[j] / (r2 * std::sqrt(r2)));
        }
        acceleration[i] = sum;
    }
}

double complex_dot(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
    return sum.real() + sum.imag();
}

void running_sums(const std::vector<double>& in, std::vector<double>& out) {
    std::partial_sum(in.begin(), in.end(), out.begin());
}

void differences(const std::vector<float>& in, std::vector<float>& out) {
    std::adjacent_difference(in.begin(), in.end(), out.begin(), [](float a, float b) { return 0.5f * (a - b); });
}

struct Sparse {
    std::vector<std::size_t> start;
    std::vector<int> column;
    std::vector<double> value;
};

void sparse_apply(const Sparse& a, const std::vector<double>& x, std::vector<double>& y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
        double sum = 0;
        for (std::size_t k = a.start[i]; k < a.start[i + 1]; ++k) sum += a.value[k] * x[a.column[k]];
        y[i] = sum;
    }
}

long fields_in(const std::string& text, char mark) {
    long count = 0;
    for (std::string_view rest = text;;) {
        const std::size_t end = rest.find(mark);
        ++count;
        if (end == std::string_view::npos) return count;
        rest.remove_prefix(end + 1);
    }
}

template <int Rows, int Columns>
static void multiply_small(const float (&a)[Rows][Columns], const float* x, float* y) {
    for (int i = 0; i < Rows; ++i) {
        float sum = 0;
        for (int j = 0; j < Columns; ++j) sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

struct Layer {
    float weights[8][16];
};

void small_layers(const std::vector<Layer>& layers, const float* x, std::vector<float>& y) {
    for (std::size_t i = 0; i < layers.size(); ++i) multiply_small(layers[i].weights, x, &y[8 * i]);
}

struct Box {
    float low[3], high[3];
};

long boxes_hit(const std::vector<Box>& boxes, const float* origin, const float* inverse) {
    long hits = 0;
    for (const Box& box : boxes) {
        float enter = 0, leave = 1e30f;
        for (int axis = 0; axis < 3; ++axis) {
            const float a = (box.low[axis] - origin[axis]) * inverse[axis],
                        b = (box.high[axis] - origin[axis]) * inverse[axis];
            enter = std::max(enter, std::min(a, b));
            leave = std::min(leave, std::max(a, b));
        }
        hits += enter <= leave;
    }
    return hits;
}

std::uint32_t masked_fill(std::vector<std::uint32_t>& ring, std::uint32_t head, std::uint32_t count) {
    const std::uint32_t mask = static_cast<std::uint32_t>(ring.size()) - 1;
    for (std::uint32_t i = 0; i < count; ++i) ring[(head + i) & mask] += i;
    return (head + count) & mask;
}
