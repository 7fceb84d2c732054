// Products of matrices (BLAS level 3): one, many at equal distances, and many with pointers of their own.
#include "standin/closed/blas.hpp"
#include "standin/closed/product.hpp"
#include "standin/closed/types.hpp"

using namespace foretell::closed;

namespace {

struct Shape {
    int ta, tb, m, n, k, lda, ldb, ldc;
};

// Factors of a product are of the type in which it is computed.
struct Factors {
    Factor alpha, beta;
};

bool is_right(const Shape& s) {
    return s.m >= 0 && s.n >= 0 && s.k >= 0 && s.lda >= std::max(1, s.ta ? s.k : s.m) &&
           s.ldb >= std::max(1, s.tb ? s.n : s.k) && s.ldc >= std::max(1, s.m);
}

template <class Sum, class In, class Out>
void one(const Shape& s, const Factors& by, const void* a, const void* b, void* c) {
    multiply<Sum>(s.ta != 0, s.tb != 0, std::size_t(s.m), std::size_t(s.n), std::size_t(s.k), by.alpha.get(),
                  static_cast<const In*>(a), std::size_t(s.lda), static_cast<const In*>(b), std::size_t(s.ldb),
                  by.beta.get(), static_cast<Out*>(c), std::size_t(s.ldc));
}

using Product = void (*)(const Shape&, const Factors&, const void*, const void*, void*);

// The product for types of its factors and of its result; nullptr where cuBLAS has it and this has not.
Product product_of(int in, int out) {
    if (in == real32 && out == real32) return one<float, float, float>;
    if (in == real64 && out == real64) return one<double, double, double>;
    if (in == half16 && out == half16) return one<float, Half, Half>;
    if (in == half16 && out == real32) return one<float, Half, float>;
    if (in == brain16 && out == brain16) return one<float, Brain, Brain>;
    if (in == brain16 && out == real32) return one<float, Brain, float>;
    if (in == byte8 && out == integer32) return one<double, std::int8_t, std::int32_t>;
    if (in == byte8 && out == real32) return one<double, std::int8_t, float>;
    return nullptr;
}

struct Types {
    int in, out;
    Factors by;
    bool tensor_of_32;
};

bool is_there(const Shape& s, const Types& types, const void* a, const void* b, const void* c) {
    const std::uint64_t in = bytes_of(types.in), out = bytes_of(types.out);
    return is_device_memory(a, s.ta ? extent(s.k, s.m, s.lda, in) : extent(s.m, s.k, s.lda, in)) &&
           is_device_memory(b, s.tb ? extent(s.n, s.k, s.ldb, in) : extent(s.k, s.n, s.ldb, in)) &&
           is_device_memory(c, extent(s.m, s.n, s.ldc, out));
}

// `places` gives the matrices of each product, when the call runs.
template <class Places>
int many(void* object, const char* name, const Shape& s, const Types& types, int count, void* first, Places places) {
    if (object == nullptr) return not_initialised;
    if (!is_right(s) || count < 0) return invalid;
    const Product product = product_of(types.in, types.out);
    if (product == nullptr) return unsupported;
    if (s.m == 0 || s.n == 0 || count == 0) return ok;
    LibraryCall what{name,
                     Family::product,
                     kind_of(types.in, types.tensor_of_32),
                     {std::uint64_t(s.m), std::uint64_t(s.n), std::uint64_t(s.k), std::uint64_t(count)}};
    what.written = first;
    what.written_bytes = extent(s.m, s.n, s.ldc, bytes_of(types.out));
    return submitted(*static_cast<Handle*>(object), std::move(what), [=] {
        for (int number = 0; number < count; ++number) {
            const auto [a, b, c] = places(number);
            product(s, types.by, a, b, c);
        }
    });
}

struct Matrices {
    const void *a, *b;
    void* c;
};

int strided(void* object, const char* name, const Shape& s, const Types& types, const void* a, long long da,
            const void* b, long long db, void* c, long long dc, int count) {
    const auto in = static_cast<long long>(bytes_of(types.in)), out = static_cast<long long>(bytes_of(types.out));
    const auto places = [=](int number) {
        return Matrices{static_cast<const char*>(a) + number * da * in, static_cast<const char*>(b) + number * db * in,
                        static_cast<char*>(c) + number * dc * out};
    };
    for (const int number : {0, std::max(0, count - 1)}) {
        const auto [left, right, result] = places(number);
        if (is_right(s) && count > 0 && !is_there(s, types, left, right, result)) return failed;
    }
    return many(object, name, s, types, count, c, places);
}

int pointed(void* object, const char* name, const Shape& s, const Types& types, const void* const* a,
            const void* const* b, void* const* c, int count) {
    const auto bytes = static_cast<std::uint64_t>(std::max(0, count)) * sizeof(void*);
    if (!is_device_memory(a, bytes) || !is_device_memory(b, bytes) || !is_device_memory(c, bytes)) return failed;
    for (int number = 0; number < count; ++number)
        if (is_right(s) && !is_there(s, types, a[number], b[number], c[number])) return failed;
    return many(object, name, s, types, count, nullptr,
                [=](int number) { return Matrices{a[number], b[number], c[number]}; });
}

template <class T>
Types types_of(void* object, int type, const void* alpha, const void* beta) {
    constexpr int tf32_mode = 3;  // CUBLAS_TF32_TENSOR_OP_MATH
    const auto& handle = *static_cast<Handle*>(object);
    return {type, type, {factor<T>(handle, alpha), factor<T>(handle, beta)}, handle.math_mode == tf32_mode};
}

// The type of the factors is that of the computation.
Types types_of(void* object, int in, int out, int compute, const void* alpha, const void* beta) {
    const auto& handle = *static_cast<Handle*>(object);
    const bool tensor = compute == fast_tf32 || handle.math_mode == 3;
    int type = real32;
    if (compute == compute_64 || compute == compute_64_exact || (compute < compute_16 && in == real64)) type = real64;
    else if (compute == compute_32i || compute == compute_32i_exact) type = integer32;
    else if (compute == compute_16 || compute == compute_16_exact || compute == half16) type = half16;
    return {in, out, {factor_of(handle, type, alpha), factor_of(handle, type, beta)}, tensor};
}

}  // namespace

#define NEEDED(OBJECT, ALPHA, BETA)                  \
    if ((OBJECT) == nullptr) return not_initialised; \
    if ((ALPHA) == nullptr || (BETA) == nullptr) return invalid

#define PRODUCTS(LETTER, T, TYPE)                                                                                      \
    STANDIN_API int cublas##LETTER##gemm_v2(void* h, int ta, int tb, int m, int n, int k, const void* alpha,           \
                                            const T* a, int lda, const T* b, int ldb, const void* beta, T* c,          \
                                            int ldc) {                                                                 \
        NEEDED(h, alpha, beta);                                                                                        \
        return strided(h, "cublas" #LETTER "gemm", {ta, tb, m, n, k, lda, ldb, ldc}, types_of<T>(h, TYPE, alpha, beta), \
                       a, 0, b, 0, c, 0, 1);                                                                           \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##gemmStridedBatched(                                                                \
        void* h, int ta, int tb, int m, int n, int k, const void* alpha, const T* a, int lda, long long da,            \
        const T* b, int ldb, long long db, const void* beta, T* c, int ldc, long long dc, int count) {                 \
        NEEDED(h, alpha, beta);                                                                                        \
        return strided(h, "cublas" #LETTER "gemmStridedBatched", {ta, tb, m, n, k, lda, ldb, ldc},                     \
                       types_of<T>(h, TYPE, alpha, beta), a, da, b, db, c, dc, count);                                 \
    }                                                                                                                  \
    STANDIN_API int cublas##LETTER##gemmBatched(void* h, int ta, int tb, int m, int n, int k, const void* alpha,       \
                                                const void* const* a, int lda, const void* const* b, int ldb,          \
                                                const void* beta, void* const* c, int ldc, int count) {                \
        NEEDED(h, alpha, beta);                                                                                        \
        return pointed(h, "cublas" #LETTER "gemmBatched", {ta, tb, m, n, k, lda, ldb, ldc},                            \
                       types_of<T>(h, TYPE, alpha, beta), a, b, c, count);                                             \
    }
PRODUCTS(S, float, real32)
PRODUCTS(D, double, real64)

STANDIN_API int cublasHgemm(void* h, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int lda,
                            const void* b, int ldb, const void* beta, void* c, int ldc) {
    NEEDED(h, alpha, beta);
    return strided(h, "cublasHgemm", {ta, tb, m, n, k, lda, ldb, ldc}, types_of(h, half16, half16, half16, alpha, beta),
                   a, 0, b, 0, c, 0, 1);
}
STANDIN_API int cublasGemmEx(void* h, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int a_type,
                             int lda, const void* b, int b_type, int ldb, const void* beta, void* c, int c_type,
                             int ldc, int compute, int) {
    NEEDED(h, alpha, beta);
    if (a_type != b_type) return unsupported;
    return strided(h, "cublasGemmEx", {ta, tb, m, n, k, lda, ldb, ldc},
                   types_of(h, a_type, c_type, compute, alpha, beta), a, 0, b, 0, c, 0, 1);
}
STANDIN_API int cublasGemmStridedBatchedEx(void* h, int ta, int tb, int m, int n, int k, const void* alpha,
                                           const void* a, int a_type, int lda, long long da, const void* b, int b_type,
                                           int ldb, long long db, const void* beta, void* c, int c_type, int ldc,
                                           long long dc, int count, int compute, int) {
    NEEDED(h, alpha, beta);
    if (a_type != b_type) return unsupported;
    return strided(h, "cublasGemmStridedBatchedEx", {ta, tb, m, n, k, lda, ldb, ldc},
                   types_of(h, a_type, c_type, compute, alpha, beta), a, da, b, db, c, dc, count);
}
