// Twelve styles of C++ (and an iterator loop): counts.json has the instructions that callgrind 3.19 counts in a call of each.
#include <vector>
#include <cmath>
#include <cstddef>
#include <algorithm>
#include <numeric>
#include <array>
// 1 template
template <typename T> void axpy(std::size_t n, T a, const T *x, T *y) { for (std::size_t i = 0; i < n; i++) y[i] += a * x[i]; }
template void axpy<double>(std::size_t, double, const double *, double *);
template void axpy<float>(std::size_t, float, const float *, float *);
// 2 std::vector by reference
double total(const std::vector<double> &v) { double s = 0; for (double x : v) s += x; return s; }
// 3 lambda
void apply_lambda(std::size_t n, double *a, double c) { auto f = [c](double x) { return c * x + 1; }; for (std::size_t i = 0; i < n; i++) a[i] = f(a[i]); }
// 4 class with members
class Matrix { public: Matrix(double *p, int n) : p_(p), n_(n) {} double &operator()(int i, int j) { return p_[i * n_ + j]; } int n() const { return n_; } private: double *p_; int n_; };
void transpose_class(double *a, double *b, int n) { Matrix A(a, n), B(b, n); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) B(j, i) = A(i, j); }
// 5 algorithms
void scale_alg(double *a, std::size_t n, double f) { std::transform(a, a + n, a, [f](double x) { return x * f; }); }
// 6 inner_product
double dot(const double *a, const double *b, std::size_t n) { return std::inner_product(a, a + n, b, 0.0); }
// 7 struct of arrays via reference
struct Particles { std::vector<double> x, v; };
void drift(Particles &p, double dt) { for (std::size_t i = 0; i < p.x.size(); i++) p.x[i] += dt * p.v[i]; }
// 8 vector of double, two vectors
void add(std::vector<double> &a, const std::vector<double> &b) { for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i]; }
// 9 member function
struct Stencil { double w; void apply(const double *in, double *out, int n) const; };
void Stencil::apply(const double *in, double *out, int n) const { for (int i = 1; i < n - 1; i++) out[i] = w * (in[i - 1] + in[i] + in[i + 1]); }
// 10 namespace + std::array
namespace lib { void smooth(std::array<double, 3> const &w, const double *in, double *out, int n) { for (int i = 1; i < n - 1; i++) out[i] = w[0] * in[i - 1] + w[1] * in[i] + w[2] * in[i + 1]; } }
// 11 iterators
void fill_iter(double *first, double *last, double v) { while (first != last) *first++ = v; }
// 12 recursive template / compile-time loop
template <int N> struct Sum { static double run(const double *a) { return a[N - 1] + Sum<N - 1>::run(a); } };
template <> struct Sum<0> { static double run(const double *) { return 0; } };
void rows8(const double *a, double *s, int n) { for (int i = 0; i < n; i++) s[i] = Sum<8>::run(a + 8 * i); }
