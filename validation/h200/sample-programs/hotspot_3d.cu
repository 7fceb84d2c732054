// In the manner of Rodinia's hotspot3D: a stencil that walks through z with values in registers; pitched 3D memory.
#include "../programs/check.h"
constexpr int NX = 256, NY = 256, NZ = 16;
struct Factors { float e, n, t, c, step; };
__global__ void hotspot_opt(cudaPitchedPtr power, cudaPitchedPtr in, cudaPitchedPtr out, Factors f) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
    const int row = in.pitch / 4, xy = row * in.ysize;
    int c = i + j * row;
    const int w = i == 0 ? c : c - 1, e = i == NX - 1 ? c : c + 1, n = j == 0 ? c : c - row, s = j == NY - 1 ? c : c + row;
    const float *a = (const float*)in.ptr, *p = (const float*)power.ptr;
    float* b = (float*)out.ptr;
    float below = a[c], here = a[c], above = a[c + xy];
    for (int k = 0; k < NZ; ++k) {
        const int z = k * xy;
        b[c + z] = f.c * here + f.n * a[n + z] + f.n * a[s + z] + f.e * a[e + z] + f.e * a[w + z] + f.t * above + f.t * below + f.step * p[c + z] + f.t * 80.0f;
        below = here, here = above;
        above = k + 2 < NZ ? a[c + z + 2 * xy] : here;
    }
}
int main() {
    std::vector<float> t(NX * NY * NZ), p(t.size()), next(t.size()), got(t.size());
    Random random(2);
    for (auto& v : t) v = 70 + 10 * random.real();
    for (auto& v : p) v = random.real();
    const cudaExtent extent = make_cudaExtent(NX * sizeof(float), NY, NZ);
    cudaPitchedPtr dp, da, db;
    for (cudaPitchedPtr* q : {&dp, &da, &db}) CHECK(cudaMalloc3D(q, extent));
    CHECK(cudaMemset3D(db, 0, extent));
    auto copy = [&](void* to, size_t to_pitch, void* from, size_t from_pitch, cudaMemcpyKind kind) {
        cudaMemcpy3DParms q = {};
        q.srcPtr = make_cudaPitchedPtr(from, from_pitch, NX, NY);
        q.dstPtr = make_cudaPitchedPtr(to, to_pitch, NX, NY);
        q.extent = extent, q.kind = kind;
        CHECK(cudaMemcpy3D(&q));
    };
    copy(da.ptr, da.pitch, t.data(), NX * 4, cudaMemcpyHostToDevice);
    copy(dp.ptr, dp.pitch, p.data(), NX * 4, cudaMemcpyHostToDevice);
    const Factors f{0.1f, 0.12f, 0.05f, 1 - 0.2f - 0.24f - 0.15f, 0.01f};
    Elapsed elapsed;
    for (int round = 0; round < 10; ++round) {
        hotspot_opt<<<dim3(NX / 64, NY / 4), dim3(64, 4)>>>(dp, da, db, f);
        std::swap(da, db);
    }
    elapsed.print();
    copy(got.data(), NX * 4, da.ptr, da.pitch, cudaMemcpyDeviceToHost);
    for (int round = 0; round < 10; ++round) {
        for (int k = 0; k < NZ; ++k)
            for (int j = 0; j < NY; ++j)
                for (int i = 0; i < NX; ++i) {
                    auto at = [&](int x, int y, int z) { return t[(size_t(z) * NY + y) * NX + x]; };
                    next[(size_t(k) * NY + j) * NX + i] = f.c * at(i, j, k) + f.n * (at(i, j ? j - 1 : j, k) + at(i, j < NY - 1 ? j + 1 : j, k)) +
                        f.e * (at(i ? i - 1 : i, j, k) + at(i < NX - 1 ? i + 1 : i, j, k)) + f.t * (at(i, j, k ? k - 1 : k) + at(i, j, k < NZ - 1 ? k + 1 : k)) +
                        f.step * p[(size_t(k) * NY + j) * NX + i] + f.t * 80.0f;
                }
        t.swap(next);
    }
    bool right = true;
    for (size_t i = 0; i < t.size(); ++i) right = right && near(got[i], t[i], 1e-5);
    return verdict(right, "hotspot_3d");
}
