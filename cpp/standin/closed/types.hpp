// The types of elements that cuBLAS knows, by their numbers.
#pragma once

#include <cstdint>

#include "standin/closed/blas.hpp"

namespace foretell::closed {

// cudaDataType
enum Type : int { real32 = 0, real64 = 1, half16 = 2, byte8 = 3, integer32 = 10, brain16 = 14 };
// cublasComputeType_t
enum Compute : int {
    compute_16 = 64,
    compute_16_exact = 65,
    compute_64 = 70,
    compute_64_exact = 71,
    compute_32i = 72,
    compute_32i_exact = 73,
    fast_tf32 = 77
};

inline std::uint64_t bytes_of(int type) {
    switch (type) {
        case real64: return 8;
        case byte8: return 1;
        case half16:
        case brain16: return 2;
        default: return 4;
    }
}

Kind kind_of(int in, bool tensor_of_32);
// A factor of a type in which it is computed.
Factor factor_of(const Handle& handle, int type, const void* where);

// Whether numbers of a type are here; what is read of them and written.
bool is_known_type(int type);
double number_at(int type, const void* from);
void put_number(int type, void* to, double value);
// to = op(A) op(B) in columns without gaps, added as cuBLAS adds numbers of the type; false: not of this type.
bool multiply_as(int type, bool ta, bool tb, std::size_t m, std::size_t n, std::size_t k, const void* a,
                 std::size_t lda, const void* b, std::size_t ldb, double* to);

}  // namespace foretell::closed
