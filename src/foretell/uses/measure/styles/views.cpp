// Views, iterators, overloaded operators, expression templates and function objects.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

template <typename T>
struct View {
    T* data;
    std::size_t length;
    T* begin() const { return data; }
    T* end() const { return data + length; }
    std::size_t size() const { return length; }
    T& operator[](std::size_t i) const { return data[i]; }
};

void view_update(double a, View<const double> x, View<double> y) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = a * y[i] + x[i];
}

double iterator_sum(const double* first, const double* last) { return std::accumulate(first, last, 0.0); }

void reversed_copy(const std::vector<int>& in, std::vector<int>& out) { std::copy(in.rbegin(), in.rend(), out.begin()); }

struct Complex {
    double re, im;
    Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
};

void operator_rotate(std::vector<Complex>& x, const std::vector<Complex>& y, Complex by) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] * by + y[i];
}

template <typename L, typename R>
struct Sum {
    const L& l;
    const R& r;
    double operator[](std::size_t i) const { return l[i] + r[i]; }
};
template <typename R>
struct Scaled {
    double by;
    const R& r;
    double operator[](std::size_t i) const { return by * r[i]; }
};
struct Column {
    std::vector<double> data;
    double operator[](std::size_t i) const { return data[i]; }
    template <typename E>
    void assign(const E& e) {
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = e[i];
    }
};

void expression_templates(Column& out, const Column& a, const Column& b, const Column& c) {
    const Scaled<Column> twice{2.0, b};
    const Sum<Column, Scaled<Column>> first{a, twice};
    out.assign(Sum<Sum<Column, Scaled<Column>>, Column>{first, c});
}

class Grid {
  public:
    Grid(std::size_t n, double value) : n_(n), data_(n * n * n, value) {}
    double& operator()(std::size_t i, std::size_t j, std::size_t k) { return data_[(i * n_ + j) * n_ + k]; }
    double operator()(std::size_t i, std::size_t j, std::size_t k) const { return data_[(i * n_ + j) * n_ + k]; }
    std::size_t size() const { return n_; }

  private:
    std::size_t n_;
    std::vector<double> data_;
};

void grid_laplace(const Grid& in, Grid& out) {
    const std::size_t n = in.size();
    for (std::size_t i = 1; i + 1 < n; ++i)
        for (std::size_t j = 1; j + 1 < n; ++j)
            for (std::size_t k = 1; k + 1 < n; ++k)
                out(i, j, k) = in(i - 1, j, k) + in(i + 1, j, k) + in(i, j - 1, k) + in(i, j + 1, k) + in(i, j, k - 1) +
                               in(i, j, k + 1) - 6 * in(i, j, k);
}

using Point = std::array<float, 4>;

void array_transform(const std::array<Point, 4>& m, std::vector<Point>& points) {
    for (Point& p : points) {
        Point q{};
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) q[i] += m[i][j] * p[j];
        p = q;
    }
}

template <int Radius, typename T>
static void smoothed(const T* in, T* out, long n) {
    for (long i = Radius; i < n - Radius; ++i) {
        T sum = 0;
        for (int d = -Radius; d <= Radius; ++d) sum += in[i + d];
        out[i] = sum / (2 * Radius + 1);
    }
}

void template_radius(const float* in, float* out, long n) { smoothed<3>(in, out, n); }

long counted_above(const std::vector<float>& x, float limit) {
    return std::count_if(x.begin(), x.end(), [limit](float v) { return v > limit; });
}

long letters(const std::string& text, char letter) { return std::count(text.begin(), text.end(), letter); }

double sparse_pairs(const std::vector<std::pair<int, double>>& row, const std::vector<double>& x) {
    double sum = 0;
    for (const auto& [column, value] : row) sum += value * x[column];
    return sum;
}

struct Particles {
    std::vector<double> x, y, vx, vy;
};

void kick(Particles& p, double dt, double g = 9.81) {
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        p.vy[i] -= g * dt;
        p.x[i] += p.vx[i] * dt;
        p.y[i] += p.vy[i] * dt;
    }
}

void indexed_for_each(std::vector<double>& y, const std::vector<int>& chosen) {
    std::for_each(chosen.begin(), chosen.end(), [&y](int i) { y[i] = 2 * y[i] + 1; });
}

double functional_fold(const std::vector<double>& x, const std::vector<double>& y) {
    return std::transform_reduce(x.begin(), x.end(), y.begin(), 0.0, std::plus<>(), [](double a, double b) { return (a - b) * (a - b); });
}
