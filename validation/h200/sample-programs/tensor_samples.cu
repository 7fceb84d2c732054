// In the manner of CUDA's tensor core samples: wmma with half, bfloat16, TF32, int8 and double.
#include "../programs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
constexpr int N = 128;
template <class In, class Out, int M, int NN, int K, class Fragment>
__global__ void product(const In* a, const In* b, Out* c, Out alpha) {
    const int row = blockIdx.y * M, col = blockIdx.x * NN;
    wmma::fragment<wmma::matrix_a, M, NN, K, Fragment, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, NN, K, Fragment, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, NN, K, Out> fc;
    wmma::fill_fragment(fc, Out(0));
    for (int k = 0; k < N; k += K) {
        wmma::load_matrix_sync(fa, a + row * N + k, N);
        wmma::load_matrix_sync(fb, b + col * N + k, N);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= alpha;
    wmma::store_matrix_sync(c + row * N + col, fc, N, wmma::mem_row_major);
}
template <class In, class Out, int M, int NN, int K, class Fragment = In, class Make>
static bool tried(const char* name, Make make, double tolerance) {
    std::vector<In> a(N * N), b(N * N);
    std::vector<double> ra(N * N), rb(N * N);
    Random random(47);
    for (int i = 0; i < N * N; ++i) a[i] = make(random.next() % 17 - 8.0), ra[i] = double(a[i]), b[i] = make(random.next() % 13 - 6.0), rb[i] = double(b[i]);
    In *da, *db; Out* dc;
    CHECK(cudaMalloc(&da, N * N * sizeof(In))); CHECK(cudaMalloc(&db, N * N * sizeof(In))); CHECK(cudaMalloc(&dc, N * N * sizeof(Out)));
    CHECK(cudaMemcpy(da, a.data(), N * N * sizeof(In), cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(db, b.data(), N * N * sizeof(In), cudaMemcpyHostToDevice));
    product<In, Out, M, NN, K, Fragment><<<dim3(N / NN, N / M), 32>>>(da, db, dc, Out(2));
    CHECK(cudaGetLastError());
    std::vector<Out> c(N * N);
    CHECK(cudaMemcpy(c.data(), dc, N * N * sizeof(Out), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = 0;
            for (int k = 0; k < N; ++k) sum += ra[i * N + k] * rb[j * N + k];
            right = right && fabs(double(c[i * N + j]) - 2 * sum) <= tolerance * (1 + fabs(2 * sum));
        }
    printf("%s %d\n", name, right);
    return right;
}
int main() {
    bool right = tried<half, float, 16, 16, 16>("half", [](double v) { return half(float(v / 8)); }, 1e-5);
    right &= tried<half, half, 32, 8, 16>("half sums", [](double v) { return half(float(v / 64)); }, 2e-2);
    right &= tried<__nv_bfloat16, float, 16, 16, 16>("bfloat16", [](double v) { return __nv_bfloat16(float(v)); }, 1e-5);
    right &= tried<float, float, 16, 16, 8, wmma::precision::tf32>("tf32", [](double v) { return float(v / 4); }, 1e-5);
    right &= tried<signed char, int, 8, 32, 16>("int8", [](double v) { return (signed char)v; }, 0);
    right &= tried<unsigned char, int, 16, 16, 16>("uint8", [](double v) { return (unsigned char)(v + 8); }, 0);
    right &= tried<double, double, 8, 8, 4>("double", [](double v) { return v / 3; }, 1e-12);
    return verdict(right, "tensor_samples");
}
