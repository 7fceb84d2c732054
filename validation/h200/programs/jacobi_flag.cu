// Iterates until a flag on the device says that nothing changes; the flag is copied back each time.
#include "check.h"
__global__ void jacobi(const float* in, float* out, int n, float tolerance, int* changed) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    float value = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
    if (fabsf(value - in[y * n + x]) > tolerance) *changed = 1;
    out[y * n + x] = value;
}
int main() {
    const int n = 512;
    const float tolerance = 2e-2f;
    std::vector<float> a(n * n, 0.0f), b, got(n * n);
    for (int i = 0; i < n; ++i) a[i] = 100.0f;
    b = a;
    float *da, *db;
    int *flag, changed = 1, rounds = 0, host_rounds = 0;
    CHECK(cudaMalloc(&da, n * n * 4));
    CHECK(cudaMalloc(&db, n * n * 4));
    CHECK(cudaMalloc(&flag, 4));
    CHECK(cudaMemcpy(da, a.data(), n * n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, a.data(), n * n * 4, cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid(n / 32, n / 8);
    Elapsed time;
    while (changed && rounds < 200) {
        CHECK(cudaMemset(flag, 0, 4));
        jacobi<<<grid, block>>>(da, db, n, tolerance, flag);
        CHECK(cudaMemcpy(&changed, flag, 4, cudaMemcpyDeviceToHost));
        std::swap(da, db);
        ++rounds;
    }
    time.print();
    CHECK(cudaMemcpy(got.data(), da, n * n * 4, cudaMemcpyDeviceToHost));
    for (int different = 1; different && host_rounds < 200; ++host_rounds) {
        different = 0;
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x) {
                float value = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
                if (fabsf(value - a[y * n + x]) > tolerance) different = 1;
                b[y * n + x] = value;
            }
        std::swap(a, b);
    }
    bool right = rounds == host_rounds;
    for (int i = 0; i < n * n; ++i) right &= near(got[i], a[i], 1e-4) || fabs(got[i] - a[i]) < 1e-4;
    printf("rounds %d\n", rounds);
    return verdict(right, "jacobi_flag");
}
