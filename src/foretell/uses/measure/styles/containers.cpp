// Containers, classes, templates and lambdas.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

template <typename T>
class Matrix {
  public:
    Matrix(std::size_t rows, std::size_t columns, T value) : rows_(rows), columns_(columns), data_(rows * columns, value) {}
    T& operator()(std::size_t i, std::size_t j) { return data_[i * columns_ + j]; }
    const T& operator()(std::size_t i, std::size_t j) const { return data_[i * columns_ + j]; }
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

  private:
    std::size_t rows_, columns_;
    std::vector<T> data_;
};

void vector_axpy(double a, const std::vector<double>& x, std::vector<double>& y) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

double vector_norm(const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

void class_product(const Matrix<double>& a, const Matrix<double>& b, Matrix<double>& c) {
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < b.columns(); ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < a.columns(); ++k) sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

void nested_relax(const std::vector<std::vector<float>>& in, std::vector<std::vector<float>>& out) {
    for (std::size_t i = 1; i + 1 < in.size(); ++i)
        for (std::size_t j = 1; j + 1 < in[i].size(); ++j)
            out[i][j] = 0.25f * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
}

void lambda_transform(std::vector<float>& x, float shift) {
    std::transform(x.begin(), x.end(), x.begin(), [shift](float v) { return v > shift ? v * 0.5f : v + shift; });
}

template <typename Op>
static double folded(const double* x, long n, Op op) {
    double r = x[0];
    for (long i = 1; i < n; ++i) r = op(r, x[i]);
    return r;
}

double folded_maximum(const double* x, long n) {
    return folded(x, n, [](double a, double b) { return a < b ? b : a; });
}

void sorted_copy(const std::vector<int>& in, std::vector<int>& out) {
    out = in;
    std::sort(out.begin(), out.end());
}

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Square : Shape {
    double side = 1;
    double area() const override { return side * side; }
};
struct Circle : Shape {
    double radius = 1;
    double area() const override { return 3.14159 * radius * radius; }
};

double virtual_areas(const std::vector<Shape*>& shapes) {
    double sum = 0;
    for (const Shape* shape : shapes) sum += shape->area();
    return sum;
}
