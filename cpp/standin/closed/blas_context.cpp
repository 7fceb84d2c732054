// Handles of cuBLAS, and copies of vectors and matrices between host and device.
#include <cstdio>

#include "standin/closed/blas.hpp"

using namespace foretell::closed;
using Size = std::size_t;

extern "C" int cudaMemcpy2D(void*, Size, const void*, Size, Size, Size, int);
extern "C" int cudaMemcpy2DAsync(void*, Size, const void*, Size, Size, Size, int, void*);

namespace {

constexpr int to_device = 1, to_host = 2;

// A step that is not 1 is a pitch of rows with one element.
int copied(int n, int element, const void* from, int from_step, void* to, int to_step, int direction) {
    if (n < 0 || element <= 0 || from_step <= 0 || to_step <= 0) return invalid;
    if (n == 0) return ok;
    const auto bytes = static_cast<Size>(element), count = static_cast<Size>(n);
    if (from_step == 1 && to_step == 1)
        return cudaMemcpy2D(to, bytes * count, from, bytes * count, bytes * count, 1, direction) == 0 ? ok : failed;
    return cudaMemcpy2D(to, bytes * static_cast<Size>(to_step), from, bytes * static_cast<Size>(from_step), bytes,
                        count, direction) == 0
               ? ok
               : failed;
}

int matrix_copied(int rows, int columns, int element, const void* from, int from_pitch, void* to, int to_pitch,
                  int direction, void* const* stream) {
    if (rows < 0 || columns < 0 || element <= 0 || from_pitch < rows || to_pitch < rows) return invalid;
    if (rows == 0 || columns == 0) return ok;
    const auto bytes = static_cast<Size>(element);
    const Size width = bytes * static_cast<Size>(rows), height = static_cast<Size>(columns);
    const Size before = bytes * static_cast<Size>(from_pitch), after = bytes * static_cast<Size>(to_pitch);
    const int error = stream == nullptr ? cudaMemcpy2D(to, after, from, before, width, height, direction)
                                        : cudaMemcpy2DAsync(to, after, from, before, width, height, direction, *stream);
    return error == 0 ? ok : failed;
}

}  // namespace

#define HANDLE(OBJECT)                                  \
    if ((OBJECT) == nullptr) return not_initialised;    \
    auto& handle = *static_cast<Handle*>(OBJECT)

STANDIN_API int cublasCreate_v2(void** result) {
    if (result == nullptr) return invalid;
    *result = new Handle;
    return ok;
}
STANDIN_API int cublasDestroy_v2(void* object) {
    HANDLE(object);
    delete &handle;
    return ok;
}
STANDIN_API int cublasGetVersion_v2(void*, int* version) {
    *version = 130000;
    return ok;
}
STANDIN_API int cublasGetProperty(int which, int* value) {
    *value = which == 0 ? 13 : 0;
    return ok;
}
STANDIN_API Size cublasGetCudartVersion() { return 13000; }
STANDIN_API int cublasSetStream_v2(void* object, void* stream) {
    HANDLE(object);
    handle.stream = stream;
    return ok;
}
STANDIN_API int cublasGetStream_v2(void* object, void** stream) {
    HANDLE(object);
    *stream = handle.stream;
    return ok;
}
STANDIN_API int cublasSetPointerMode_v2(void* object, int mode) {
    HANDLE(object);
    handle.pointer_mode = mode;
    return ok;
}
STANDIN_API int cublasGetPointerMode_v2(void* object, int* mode) {
    HANDLE(object);
    *mode = handle.pointer_mode;
    return ok;
}
STANDIN_API int cublasSetAtomicsMode(void* object, int mode) {
    HANDLE(object);
    handle.atomics_mode = mode;
    return ok;
}
STANDIN_API int cublasGetAtomicsMode(void* object, int* mode) {
    HANDLE(object);
    *mode = handle.atomics_mode;
    return ok;
}
STANDIN_API int cublasSetMathMode(void* object, int mode) {
    HANDLE(object);
    handle.math_mode = mode;
    return ok;
}
STANDIN_API int cublasGetMathMode(void* object, int* mode) {
    HANDLE(object);
    *mode = handle.math_mode;
    return ok;
}
STANDIN_API int cublasSetWorkspace_v2(void* object, void*, Size) { return object == nullptr ? not_initialised : ok; }
STANDIN_API const char* cublasGetStatusName(int status) {
    switch (status) {
        case ok: return "CUBLAS_STATUS_SUCCESS";
        case not_initialised: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case invalid: return "CUBLAS_STATUS_INVALID_VALUE";
        case failed: return "CUBLAS_STATUS_EXECUTION_FAILED";
        case unsupported: return "CUBLAS_STATUS_NOT_SUPPORTED";
        default: return "CUBLAS_STATUS_INTERNAL_ERROR";
    }
}
STANDIN_API const char* cublasGetStatusString(int status) { return cublasGetStatusName(status); }

STANDIN_API int cublasSetVector(int n, int element, const void* from, int from_step, void* to, int to_step) {
    return copied(n, element, from, from_step, to, to_step, to_device);
}
STANDIN_API int cublasGetVector(int n, int element, const void* from, int from_step, void* to, int to_step) {
    return copied(n, element, from, from_step, to, to_step, to_host);
}
STANDIN_API int cublasSetMatrix(int rows, int columns, int element, const void* from, int from_pitch, void* to,
                                int to_pitch) {
    return matrix_copied(rows, columns, element, from, from_pitch, to, to_pitch, to_device, nullptr);
}
STANDIN_API int cublasGetMatrix(int rows, int columns, int element, const void* from, int from_pitch, void* to,
                                int to_pitch) {
    return matrix_copied(rows, columns, element, from, from_pitch, to, to_pitch, to_host, nullptr);
}
STANDIN_API int cublasSetMatrixAsync(int rows, int columns, int element, const void* from, int from_pitch, void* to,
                                     int to_pitch, void* stream) {
    return matrix_copied(rows, columns, element, from, from_pitch, to, to_pitch, to_device, &stream);
}
STANDIN_API int cublasGetMatrixAsync(int rows, int columns, int element, const void* from, int from_pitch, void* to,
                                     int to_pitch, void* stream) {
    return matrix_copied(rows, columns, element, from, from_pitch, to, to_pitch, to_host, &stream);
}
