// Vectors, and a matrix by a vector (BLAS levels 1 and 2).
#include <cmath>

#include "standin/closed/blas.hpp"

using namespace foretell::closed;

namespace {

template <class T>
constexpr Kind kind_of = sizeof(T) == 4 ? Kind::f32 : Kind::f64;

// The first element of a vector, which is its last one where the step is negative.
template <class T>
T* start(T* x, int n, int step) {
    return step < 0 ? x - static_cast<std::int64_t>(n - 1) * step : x;
}

template <class T, class Body>
int on_vectors(void* object, const char* name, int n, const T* x, int x_step, T* y, int y_step, int read, int written,
               Body body) {
    if (object == nullptr) return not_initialised;
    if (n <= 0) return ok;
    const std::uint64_t own = extent(n, x_step, sizeof(T)), other = y == nullptr ? 0 : extent(n, y_step, sizeof(T));
    if (!is_device_memory(x, own) || (y != nullptr && !is_device_memory(y, other))) return failed;
    LibraryCall what{
        name, Family::vectors, kind_of<T>, {std::uint64_t(n), std::uint64_t(read), std::uint64_t(written), 1}};
    what.written = y == nullptr ? x : y;
    what.written_bytes = y == nullptr ? own : other;
    return submitted(*static_cast<Handle*>(object), std::move(what), std::move(body));
}

template <class T>
int axpy(void* object, const char* name, int n, const void* alpha, const T* x, int x_step, T* y, int y_step) {
    if (object == nullptr || alpha == nullptr) return object == nullptr ? not_initialised : invalid;
    const Factor a = factor<T>(*static_cast<Handle*>(object), alpha);
    return on_vectors(object, name, n, x, x_step, y, y_step, 2, 1, [=] {
        const T scale = static_cast<T>(a.get());
        const T* from = start(x, n, x_step);
        T* to = start(y, n, y_step);
        for (std::int64_t i = 0; i < n; ++i) to[i * y_step] = std::fma(scale, from[i * x_step], to[i * y_step]);
    });
}
template <class T>
int scal(void* object, const char* name, int n, const void* alpha, T* x, int step) {
    if (object == nullptr || alpha == nullptr) return object == nullptr ? not_initialised : invalid;
    const Factor a = factor<T>(*static_cast<Handle*>(object), alpha);
    return on_vectors<T>(object, name, n, x, step, nullptr, 1, 1, 1, [=] {
        for (std::int64_t i = 0; i < n; ++i) x[i * step] *= static_cast<T>(a.get());
    });
}
template <class T>
int copy(void* object, const char* name, int n, const T* x, int x_step, T* y, int y_step) {
    return on_vectors(object, name, n, x, x_step, y, y_step, 1, 1, [=] {
        for (std::int64_t i = 0; i < n; ++i) start(y, n, y_step)[i * y_step] = start(x, n, x_step)[i * x_step];
    });
}
template <class T>
int swap(void* object, const char* name, int n, T* x, int x_step, T* y, int y_step) {
    return on_vectors(object, name, n, x, x_step, y, y_step, 2, 2, [=] {
        for (std::int64_t i = 0; i < n; ++i)
            std::swap(start(x, n, x_step)[i * x_step], start(y, n, y_step)[i * y_step]);
    });
}

// A number over vectors; the host waits for it, unless it stays on the device.
template <class T, class Result, class Body>
int summed(void* object, const char* name, int n, const T* x, int x_step, const T* y, int y_step, Result* result,
           Body body) {
    if (object == nullptr || result == nullptr) return object == nullptr ? not_initialised : invalid;
    const auto& handle = *static_cast<Handle*>(object);
    if (n <= 0) {
        *result = Result{0};
        return ok;
    }
    if (!is_device_memory(x, extent(n, x_step, sizeof(T)))) return failed;
    if (y != nullptr && !is_device_memory(y, extent(n, y_step, sizeof(T)))) return failed;
    LibraryCall what{name, Family::sum, kind_of<T>, {std::uint64_t(n), y == nullptr ? 1u : 2u, 1, 1}};
    what.waits = handle.pointer_mode == 0;
    return submitted(handle, std::move(what), [=] { *result = static_cast<Result>(body()); });
}
template <class T>
int dot(void* object, const char* name, int n, const T* x, int x_step, const T* y, int y_step, T* result) {
    return summed(object, name, n, x, x_step, y, y_step, result, [=] {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
            sum += static_cast<double>(start(x, n, x_step)[i * x_step]) * start(y, n, y_step)[i * y_step];
        return sum;
    });
}
template <class T>
int nrm2(void* object, const char* name, int n, const T* x, int step, T* result) {
    return summed<T>(object, name, n, x, step, nullptr, 1, result, [=] {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i) sum = std::hypot(sum, static_cast<double>(x[i * step]));
        return sum;
    });
}
template <class T>
int asum(void* object, const char* name, int n, const T* x, int step, T* result) {
    return summed<T>(object, name, n, x, step, nullptr, 1, result, [=] {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i) sum += std::fabs(static_cast<double>(x[i * step]));
        return sum;
    });
}
// The place, from 1 on, of the first of the largest or smallest.
template <class T>
int extreme(void* object, const char* name, int n, const T* x, int step, int* result, bool largest) {
    return summed<T>(object, name, n, x, step, nullptr, 1, result, [=] {
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < n; ++i) {
            const T own = std::fabs(x[i * step]), other = std::fabs(x[best * step]);
            if (largest ? own > other : own < other) best = i;
        }
        return best + 1;
    });
}

template <class T>
int gemv(void* object, const char* name, int transposed, int m, int n, const void* alpha, const T* a, int pitch,
         const T* x, int x_step, const void* beta, T* y, int y_step) {
    if (object == nullptr) return not_initialised;
    if (m < 0 || n < 0 || pitch < m || x_step == 0 || y_step == 0 || alpha == nullptr || beta == nullptr)
        return invalid;
    if (m == 0 || n == 0) return ok;
    const auto& handle = *static_cast<Handle*>(object);
    const int rows = transposed ? n : m, inner = transposed ? m : n;
    const Factor scale = factor<T>(handle, alpha), kept = factor<T>(handle, beta);
    if (!is_device_memory(a, extent(m, n, pitch, sizeof(T))) ||
        !is_device_memory(x, extent(inner, x_step, sizeof(T))) || !is_device_memory(y, extent(rows, y_step, sizeof(T))))
        return failed;
    LibraryCall what{name, Family::by_vector, kind_of<T>, {std::uint64_t(m), std::uint64_t(n), 1, 1}};
    what.written = y;
    what.written_bytes = extent(rows, y_step, sizeof(T));
    return submitted(handle, std::move(what), [=] {
        std::vector<double> sums(static_cast<std::size_t>(rows), 0.0);
        const T* from = start(x, inner, x_step);
        for (std::int64_t column = 0; column < n; ++column)
            for (std::int64_t row = 0; row < m; ++row) {
                const std::int64_t to = transposed ? column : row, at = transposed ? row : column;
                sums[static_cast<std::size_t>(to)] += static_cast<double>(a[column * pitch + row]) * from[at * x_step];
            }
        T* to = start(y, rows, y_step);
        for (std::int64_t row = 0; row < rows; ++row) {
            const double before = kept.get() == 0 ? 0 : kept.get() * to[row * y_step];
            to[row * y_step] = static_cast<T>(scale.get() * sums[static_cast<std::size_t>(row)] + before);
        }
    });
}
template <class T>
int ger(void* object, const char* name, int m, int n, const void* alpha, const T* x, int x_step, const T* y, int y_step,
        T* a, int pitch) {
    if (object == nullptr) return not_initialised;
    if (m < 0 || n < 0 || pitch < m || x_step == 0 || y_step == 0 || alpha == nullptr) return invalid;
    if (m == 0 || n == 0) return ok;
    const auto& handle = *static_cast<Handle*>(object);
    const Factor scale = factor<T>(handle, alpha);
    if (!is_device_memory(a, extent(m, n, pitch, sizeof(T))) || !is_device_memory(x, extent(m, x_step, sizeof(T))) ||
        !is_device_memory(y, extent(n, y_step, sizeof(T))))
        return failed;
    LibraryCall what{name, Family::vectors, kind_of<T>, {std::uint64_t(m) * std::uint64_t(n), 1, 1, 1}};
    what.written = a;
    what.written_bytes = extent(m, n, pitch, sizeof(T));
    return submitted(handle, std::move(what), [=] {
        for (std::int64_t column = 0; column < n; ++column)
            for (std::int64_t row = 0; row < m; ++row)
                a[column * pitch + row] += static_cast<T>(scale.get() * start(x, m, x_step)[row * x_step] *
                                                          start(y, n, y_step)[column * y_step]);
    });
}

}  // namespace

#define BOTH(LETTER, T)                                                                                                \
    STANDIN_API int cublas##LETTER##axpy_v2(void* h, int n, const void* alpha, const T* x, int dx, T* y, int dy) {     \
        return axpy(h, "cublas" #LETTER "axpy", n, alpha, x, dx, y, dy);                                               \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##scal_v2(void* h, int n, const void* alpha, T* x, int dx) {                         \
        return scal(h, "cublas" #LETTER "scal", n, alpha, x, dx);                                                      \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##copy_v2(void* h, int n, const T* x, int dx, T* y, int dy) {                        \
        return copy(h, "cublas" #LETTER "copy", n, x, dx, y, dy);                                                      \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##swap_v2(void* h, int n, T* x, int dx, T* y, int dy) {                              \
        return swap(h, "cublas" #LETTER "swap", n, x, dx, y, dy);                                                      \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##dot_v2(void* h, int n, const T* x, int dx, const T* y, int dy, T* result) {        \
        return dot(h, "cublas" #LETTER "dot", n, x, dx, y, dy, result);                                                \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##nrm2_v2(void* h, int n, const T* x, int dx, T* result) {                           \
        return nrm2(h, "cublas" #LETTER "nrm2", n, x, dx, result);                                                     \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##asum_v2(void* h, int n, const T* x, int dx, T* result) {                           \
        return asum(h, "cublas" #LETTER "asum", n, x, dx, result);                                                     \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##gemv_v2(void* h, int t, int m, int n, const void* alpha, const T* a, int pitch,    \
                                            const T* x, int dx, const void* beta, T* y, int dy) {                      \
        return gemv(h, "cublas" #LETTER "gemv", t, m, n, alpha, a, pitch, x, dx, beta, y, dy);                         \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##ger_v2(void* h, int m, int n, const void* alpha, const T* x, int dx, const T* y,   \
                                           int dy, T* a, int pitch) {                                                  \
        return ger(h, "cublas" #LETTER "ger", m, n, alpha, x, dx, y, dy, a, pitch);                                    \
    }
BOTH(S, float)
BOTH(D, double)

STANDIN_API int cublasIsamax_v2(void* h, int n, const float* x, int dx, int* result) {
    return extreme(h, "cublasIsamax", n, x, dx, result, true);
}
STANDIN_API int cublasIdamax_v2(void* h, int n, const double* x, int dx, int* result) {
    return extreme(h, "cublasIdamax", n, x, dx, result, true);
}
STANDIN_API int cublasIsamin_v2(void* h, int n, const float* x, int dx, int* result) {
    return extreme(h, "cublasIsamin", n, x, dx, result, false);
}
STANDIN_API int cublasIdamin_v2(void* h, int n, const double* x, int dx, int* result) {
    return extreme(h, "cublasIdamin", n, x, dx, result, false);
}
