// Products of matrices as cuBLASLt has them: with descriptions of the matrices, and what follows the product.
#include <cmath>
#include <cstring>
#include <vector>

#include "standin/closed/blas.hpp"
#include "standin/closed/matmul_descriptions.hpp"
#include "standin/closed/product.hpp"
#include "standin/closed/types.hpp"

using namespace foretell::closed;
using Size = std::size_t;

namespace {

// cublasLtEpilogue_t.
enum Epilogue : std::uint32_t { plain = 1, relu = 2, with_bias = 4, gelu = 32 };

struct Matrix {
    Layout layout;
    const void* data;
    bool transposed;
};

// Everything that the call needs when it runs: the caller may destroy its descriptions before.
struct Work {
    Operation operation;
    Matrix a, b, c, d;
    Factor alpha, beta;
    Size m, n, k;
};

// A matrix in rows is the transposed one in columns.
Matrix matrix_of(const Layout* layout, const void* data, int transposed) {
    Matrix result{*layout, data, transposed != 0};
    if (layout->order == in_rows) {
        std::swap(result.layout.rows, result.layout.columns);
        result.transposed = !result.transposed;
    }
    return result;
}

Size rows_of(const Matrix& x) { return x.transposed ? x.layout.columns : x.layout.rows; }
Size columns_of(const Matrix& x) { return x.transposed ? x.layout.rows : x.layout.columns; }

bool is_right(const Layout& x) {
    return (x.order == in_columns || x.order == in_rows) && x.count >= 1 &&
           x.pitch >= static_cast<std::int64_t>(x.order == in_rows ? x.columns : x.rows);
}

double activated(std::uint32_t epilogue, double x) {
    if (epilogue & relu) return x > 0 ? x : 0;
    if (!(epilogue & gelu)) return x;
    constexpr double slope = 0.7978845608028654, cubic = 0.044715;  // sqrt(2/pi)
    return 0.5 * x * (1 + std::tanh(slope * (x + cubic * x * x * x)));
}

// The element of a matrix in row i and column j of what the product sees.
const void* element(const Matrix& x, Size batch, Size i, Size j) {
    if (x.transposed) std::swap(i, j);
    const Size place = batch * static_cast<Size>(x.layout.distance) + j * static_cast<Size>(x.layout.pitch) + i;
    return static_cast<const char*>(x.data) + place * bytes_of(x.layout.type);
}

bool is_there(const Matrix& x) {
    return is_device_memory(element(x, 0, 0, 0), 1) &&
           is_device_memory(
               element(x, static_cast<Size>(x.layout.count) - 1, 0, 0),
               extent(static_cast<std::int64_t>(x.layout.rows), static_cast<std::int64_t>(x.layout.columns),
                      x.layout.pitch, bytes_of(x.layout.type)));
}

double bias_at(const Work& work, Size batch, Size i) {
    const int type = work.operation.bias_type >= 0 ? work.operation.bias_type : work.d.layout.type;
    const Size place = batch * static_cast<Size>(work.operation.bias_distance) + i;
    return number_at(type, static_cast<const char*>(work.operation.bias) + place * bytes_of(type));
}

void run_batch(const Work& work, Size batch, std::vector<double>& products) {
    const auto at = [&](const Matrix& x) { return element(x, x.layout.count > 1 ? batch : 0, 0, 0); };
    multiply_as(work.a.layout.type, work.a.transposed, work.b.transposed, work.m, work.n, work.k, at(work.a),
                static_cast<Size>(work.a.layout.pitch), at(work.b), static_cast<Size>(work.b.layout.pitch),
                products.data());
    const double alpha = work.alpha.get(), beta = work.beta.get();
    for (Size j = 0; j < work.n; ++j)
        for (Size i = 0; i < work.m; ++i) {
            double value = alpha * products[j * work.m + i];
            if (beta != 0) value += beta * number_at(work.c.layout.type, element(work.c, batch, i, j));
            if (work.operation.epilogue & with_bias) value += bias_at(work, batch, i);
            put_number(work.d.layout.type, const_cast<void*>(element(work.d, batch, i, j)),
                       activated(work.operation.epilogue, value));
        }
}

void run(const Work& work) {
    std::vector<double> products(work.m * work.n);
    for (Size batch = 0; batch < static_cast<Size>(work.d.layout.count); ++batch) run_batch(work, batch, products);
}

// Whether there is such a product here; what is not (numbers of eight bits with a fraction, gradients, results beside the
// product) is refused as cuBLASLt refuses what it has not.
bool is_known(const Work& work) {
    const Operation& operation = work.operation;
    for (const void* other : operation.others)
        if (other != nullptr) return false;
    for (const Matrix* matrix : {&work.a, &work.b, &work.c, &work.d})
        if (!is_known_type(matrix->layout.type)) return false;
    constexpr std::uint32_t known = plain | relu | with_bias | gelu;
    return (operation.epilogue & ~known) == 0 && operation.pointer_mode <= 1 && operation.tc == 0 &&
           operation.fill == whole && work.a.layout.type == work.b.layout.type && work.a.layout.type != integer32;
}

Factor scale_of(const Operation& operation, const void* where) {
    Handle handle;
    handle.pointer_mode = operation.pointer_mode;
    return factor_of(handle, operation.scale, where);
}

LibraryCall call_of(const Work& work) {
    const bool tensor_of_32 = work.operation.compute == fast_tf32;
    LibraryCall what{"cublasLtMatmul",
                     Family::product,
                     kind_of(work.a.layout.type, tensor_of_32),
                     {work.m, work.n, work.k, static_cast<std::uint64_t>(work.d.layout.count)}};
    what.written = work.d.data;
    what.written_bytes = work.d.layout.columns * static_cast<Size>(work.d.layout.pitch) * bytes_of(work.d.layout.type);
    return what;
}

}  // namespace

STANDIN_API int cublasLtMatmul(void* handle, const Operation* operation, const void* alpha, const void* a,
                               const Layout* a_layout, const void* b, const Layout* b_layout, const void* beta,
                               const void* c, const Layout* c_layout, void* d, const Layout* d_layout, const void*,
                               void*, Size, void* stream) {
    if (handle == nullptr) return not_initialised;
    if (operation == nullptr || alpha == nullptr || beta == nullptr || a_layout == nullptr || b_layout == nullptr ||
        c_layout == nullptr || d_layout == nullptr)
        return invalid;
    for (const Layout* layout : {a_layout, b_layout, c_layout, d_layout})
        if (!is_right(*layout)) return unsupported;
    Work work{*operation,
              matrix_of(a_layout, a, operation->ta),
              matrix_of(b_layout, b, operation->tb),
              matrix_of(c_layout, c == nullptr ? d : c, 0),
              matrix_of(d_layout, d, 0),
              scale_of(*operation, alpha),
              scale_of(*operation, beta),
              0,
              0,
              0};
    work.m = rows_of(work.a);
    work.n = columns_of(work.b);
    work.k = columns_of(work.a);
    if (rows_of(work.b) != work.k || rows_of(work.d) != work.m || columns_of(work.d) != work.n ||
        rows_of(work.c) != work.m || columns_of(work.c) != work.n)
        return invalid;
    if (!is_known(work)) return unsupported;
    if (work.m == 0 || work.n == 0) return ok;
    if (!is_there(work.a) || !is_there(work.b) || !is_there(work.d)) return failed;
    Handle own;
    own.stream = stream;
    return submitted(own, call_of(work), [work] { run(work); });
}

namespace {

// cublasLtMatmulHeuristicResult_t.
struct Found {
    std::uint64_t algorithm[8];
    Size workspace;
    int state;
    float waves;
    int reserved[4];
};

}  // namespace

// One way to compute a product, which needs no memory beside.
STANDIN_API int cublasLtMatmulAlgoGetHeuristic(void* handle, const Operation* operation, const Layout* a,
                                               const Layout* b, const Layout* c, const Layout* d, const void*,
                                               int wanted, Found* found, int* count) {
    if (handle == nullptr) return not_initialised;
    if (operation == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || found == nullptr ||
        count == nullptr || wanted < 1)
        return invalid;
    *found = Found{};
    found->waves = 1;
    *count = 1;
    return ok;
}
STANDIN_API int cublasLtMatmulAlgoGetIds(void* handle, int, int, int, int, int, int, int wanted, int* numbers,
                                         int* count) {
    if (handle == nullptr) return not_initialised;
    if (numbers == nullptr || count == nullptr || wanted < 1) return invalid;
    numbers[0] = 0;
    *count = 1;
    return ok;
}
STANDIN_API int cublasLtMatmulAlgoInit(void* handle, int, int, int, int, int, int, int, void* algorithm) {
    if (handle == nullptr) return not_initialised;
    if (algorithm == nullptr) return invalid;
    std::memset(algorithm, 0, sizeof Found{}.algorithm);
    return ok;
}

STANDIN_API int cublasLtCreate(void** result) {
    if (result == nullptr) return invalid;
    *result = new Handle;
    return ok;
}
STANDIN_API int cublasLtDestroy(void* object) {
    if (object == nullptr) return not_initialised;
    delete static_cast<Handle*>(object);
    return ok;
}
STANDIN_API Size cublasLtGetVersion() { return 130000; }
STANDIN_API Size cublasLtGetCudartVersion() { return 13000; }
STANDIN_API unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) { return 0; }
STANDIN_API int cublasLtHeuristicsCacheGetCapacity(Size* capacity) {
    if (capacity == nullptr) return invalid;
    *capacity = 0;
    return ok;
}
STANDIN_API int cublasLtHeuristicsCacheSetCapacity(Size) { return ok; }
STANDIN_API int cublasLtLoggerSetLevel(int) { return ok; }
STANDIN_API int cublasLtLoggerSetMask(int) { return ok; }
STANDIN_API int cublasGetProperty(int, int*);
STANDIN_API int cublasLtGetProperty(int which, int* value) { return cublasGetProperty(which, value); }
STANDIN_API const char* cublasGetStatusName(int);
STANDIN_API const char* cublasLtGetStatusName(int status) { return cublasGetStatusName(status); }
STANDIN_API const char* cublasLtGetStatusString(int status) { return cublasGetStatusName(status); }
