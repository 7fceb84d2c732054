// Times of closed libraries: cuBLAS, cuFFT and cuRAND, opened by name. Lines: function, its sizes, microseconds (least and median of seven, between
// events, each of several calls).
#include <dlfcn.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

static void* open(const std::string& stem, const char* folder) {
    for (const char* version : {"", ".13", ".12", ".11", ".10"})
        for (const std::string& where : {std::string(folder) + "/", std::string()})
            if (void* found = dlopen((where + stem + ".so" + version).c_str(), RTLD_NOW | RTLD_GLOBAL)) return found;
    fprintf(stderr, "no %s: %s\n", stem.c_str(), dlerror());
    return nullptr;
}
template <typename Call>
static void timed(const char* name, const char* kind, long a, long b, long c, long batch, Call call) {
    cudaEvent_t first, last;
    cudaEventCreate(&first), cudaEventCreate(&last);
    std::vector<float> all;
    int status = call();
    cudaDeviceSynchronize();
    for (int r = 0; r < 7 && status == 0; ++r) {
        const int calls = 4;
        cudaEventRecord(first);
        for (int k = 0; k < calls; ++k) status |= call();
        cudaEventRecord(last);
        cudaEventSynchronize(last);
        float ms = 0;
        cudaEventElapsedTime(&ms, first, last);
        all.push_back(ms * 1e3f / calls);
    }
    std::sort(all.begin(), all.end());
    if (status) printf("%s,%s,%ld,%ld,%ld,%ld,status %d,\n", name, kind, a, b, c, batch, status);
    else printf("%s,%s,%ld,%ld,%ld,%ld,%.2f,%.2f\n", name, kind, a, b, c, batch, all[0], all[3]);
    fflush(stdout);
}
int main(int argc, char** argv) {
    const char* folder = argc > 1 ? argv[1] : ".";
    const char* fft_folder = argc > 2 ? argv[2] : folder;
    const char* random_folder = argc > 3 ? argv[3] : folder;
    void *x, *y, *z;
    const size_t bytes = 1ull << 30;
    cudaMalloc(&x, bytes), cudaMalloc(&y, bytes), cudaMalloc(&z, bytes);
    cudaMemset(x, 0, bytes), cudaMemset(y, 0, bytes), cudaMemset(z, 0, bytes);
    printf("function,kind,m,n,k,batch,least_us,median_us\n");
    if (void* blas = open("libcublas", folder)) {
        void* handle = nullptr;
        reinterpret_cast<int (*)(void**)>(dlsym(blas, "cublasCreate_v2"))(&handle);
        int version = 0;
        reinterpret_cast<int (*)(void*, int*)>(dlsym(blas, "cublasGetVersion_v2"))(handle, &version);
        fprintf(stderr, "cublas %d\n", version);
        using Gemm = int (*)(void*, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*, void*, int);
        using GemmEx = int (*)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*, void*, int, int, int, int);
        using Batched = int (*)(void*, int, int, int, int, int, const void*, const void*, int, long long, const void*, int, long long, const void*, void*, int, long long, int);
        using Gemv = int (*)(void*, int, int, int, const void*, const void*, int, const void*, int, const void*, void*, int);
        using Axpy = int (*)(void*, int, const void*, const void*, int, void*, int);
        using Dot = int (*)(void*, int, const void*, int, const void*, int, void*);
        const float one = 1;
        const double done = 1;
        const long sizes[][3] = {{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}, {1000, 1000, 1000}, {4096, 16, 4096}, {4096, 128, 1024}, {128, 128, 8192}, {300, 7000, 50}};
        for (auto [m, n, k] : sizes) {
            const int a = m, b = n, c = k;
            auto sgemm = reinterpret_cast<Gemm>(dlsym(blas, "cublasSgemm_v2")), dgemm = reinterpret_cast<Gemm>(dlsym(blas, "cublasDgemm_v2"));
            auto ex = reinterpret_cast<GemmEx>(dlsym(blas, "cublasGemmEx"));
            for (int t : {0, 1}) timed("gemm", t ? "f32t" : "f32", m, n, k, 1, [&] { return sgemm(handle, t, 0, a, b, c, &one, x, t ? c : a, y, c, &one, z, a); });
            timed("gemm", "f64", m, n, k, 1, [&] { return dgemm(handle, 0, 0, a, b, c, &done, x, a, y, c, &done, z, a); });
            timed("gemm", "f16", m, n, k, 1, [&] { return ex(handle, 0, 0, a, b, c, &one, x, 2, a, y, 2, c, &one, z, 2, a, 68, -1); });
            timed("gemm", "bf16", m, n, k, 1, [&] { return ex(handle, 0, 0, a, b, c, &one, x, 14, a, y, 14, c, &one, z, 14, a, 68, -1); });
            timed("gemm", "tf32", m, n, k, 1, [&] { return ex(handle, 0, 0, a, b, c, &one, x, 0, a, y, 0, c, &one, z, 0, a, 77, -1); });
        }
        auto batched = reinterpret_cast<Batched>(dlsym(blas, "cublasSgemmStridedBatched"));
        for (int n : {16, 64, 256})
            for (int batch : {10, 100, 1000}) timed("gemm_batched", "f32", n, n, n, batch, [&] { return batched(handle, 0, 0, n, n, n, &one, x, n, (long long)n * n, y, n, (long long)n * n, &one, z, n, (long long)n * n, batch); });
        auto gemv = reinterpret_cast<Gemv>(dlsym(blas, "cublasSgemv_v2"));
        for (int n : {256, 1024, 4096, 16384})
            for (int t : {0, 1}) timed("gemv", t ? "f32t" : "f32", n, n, 1, 1, [&] { return gemv(handle, t, n, n, &one, x, n, y, 1, &one, z, 1); });
        auto axpy = reinterpret_cast<Axpy>(dlsym(blas, "cublasSaxpy_v2"));
        auto dot = reinterpret_cast<Dot>(dlsym(blas, "cublasSdot_v2"));
        float result;
        for (int n : {1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 27}) {
            timed("axpy", "f32", n, 1, 1, 1, [&] { return axpy(handle, n, &one, x, 1, y, 1); });
            timed("dot", "f32", n, 1, 1, 1, [&] { return dot(handle, n, x, 1, y, 1, &result); });
        }
    }
    if (void* fft = open("libcufft", fft_folder)) {
        using Plan1 = int (*)(int*, int, int, int);
        using Plan2 = int (*)(int*, int, int, int);
        using Plan3 = int (*)(int*, int, int, int, int);
        using Exec = int (*)(int, void*, void*, int);
        using ExecReal = int (*)(int, void*, void*);
        auto plan1 = reinterpret_cast<Plan1>(dlsym(fft, "cufftPlan1d"));
        auto plan2 = reinterpret_cast<Plan2>(dlsym(fft, "cufftPlan2d"));
        auto plan3 = reinterpret_cast<Plan3>(dlsym(fft, "cufftPlan3d"));
        auto c2c = reinterpret_cast<Exec>(dlsym(fft, "cufftExecC2C")), z2z = reinterpret_cast<Exec>(dlsym(fft, "cufftExecZ2Z"));
        auto r2c = reinterpret_cast<ExecReal>(dlsym(fft, "cufftExecR2C"));
        int plan;
        const long ones[][2] = {{64, 1}, {256, 1000}, {1024, 1}, {1024, 1000}, {1000, 1000}, {4096, 1000}, {65536, 1}, {65536, 64}, {1 << 20, 1}, {1 << 20, 32}, {1 << 24, 1}, {997, 1000}, {100000, 10}};
        for (auto [n, batch] : ones) {
            if (plan1(&plan, n, 0x29, batch) == 0) timed("fft1", "c2c", n, 1, 1, batch, [&] { return c2c(plan, x, y, -1); });
            if (plan1(&plan, n, 0x69, batch) == 0) timed("fft1", "z2z", n, 1, 1, batch, [&] { return z2z(plan, x, y, -1); });
            if (plan1(&plan, n, 0x2a, batch) == 0) timed("fft1", "r2c", n, 1, 1, batch, [&] { return r2c(plan, x, y); });
        }
        for (int n : {128, 512, 1024, 2048, 4096})
            if (plan2(&plan, n, n, 0x29) == 0) timed("fft2", "c2c", n, n, 1, 1, [&] { return c2c(plan, x, y, -1); });
        for (int n : {64, 128, 256})
            if (plan3(&plan, n, n, n, 0x29) == 0) timed("fft3", "c2c", n, n, n, 1, [&] { return c2c(plan, x, y, -1); });
    }
    if (void* random = open("libcurand", random_folder)) {
        auto create = reinterpret_cast<int (*)(void**, int)>(dlsym(random, "curandCreateGenerator"));
        auto uniform = reinterpret_cast<int (*)(void*, float*, size_t)>(dlsym(random, "curandGenerateUniform"));
        auto normal = reinterpret_cast<int (*)(void*, float*, size_t, float, float)>(dlsym(random, "curandGenerateNormal"));
        for (int kind : {101, 161, 141}) {  // XORWOW, Philox, MTGP32
            void* generator = nullptr;
            if (create(&generator, kind) != 0) continue;
            for (long n : {1l << 12, 1l << 18, 1l << 22, 1l << 26}) {
                const std::string name = std::to_string(kind);
                timed("uniform", name.c_str(), n, 1, 1, 1, [&] { return uniform(generator, (float*)x, n); });
                timed("normal", name.c_str(), n, 1, 1, 1, [&] { return normal(generator, (float*)x, n, 0, 1); });
            }
        }
    }
    return 0;
}
