// D2Q9 lattice Boltzmann with walls, arrays of one direction each, in the manner of HeCBench's and Parboil's lbm.
#include "../programs/check.h"
constexpr int W = 512, H = 512, N = W * H;
__constant__ int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float part[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
__global__ void step(float* out, const float* in, const unsigned char* wall, float omega) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * W + x;
    float f[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const int fx = (x - ex[k] + W) % W, fy = (y - ey[k] + H) % H;
        f[k] = in[k * N + fy * W + fx];
        rho += f[k], ux += ex[k] * f[k], uy += ey[k] * f[k];
    }
    if (wall[i]) {
        const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
#pragma unroll
        for (int k = 0; k < 9; ++k) out[k * N + i] = f[back[k]];
        return;
    }
    ux /= rho, uy /= rho;
    const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const float along = 3 * (ex[k] * ux + ey[k] * uy);
        out[k * N + i] = f[k] + omega * (part[k] * rho * (1 + along + 0.5f * along * along - square) - f[k]);
    }
}
int main() {
    const int X[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, Y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    Random random(11);
    std::vector<float> a(9 * N), b(9 * N), got(9 * N);
    std::vector<unsigned char> wall(N);
    for (auto& v : a) v = 0.1f + 0.01f * random.real();
    for (int i = 0; i < N; ++i) wall[i] = i / W == 0 || i / W == H - 1 || (i % W - 100) * (i % W - 100) + (i / W - 256) * (i / W - 256) < 900;
    float* d[2]; unsigned char* w;
    for (auto& p : d) CHECK(cudaMalloc(&p, 36 * N));
    CHECK(cudaMalloc(&w, N));
    CHECK(cudaMemcpy(d[0], a.data(), 36 * N, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(w, wall.data(), N, cudaMemcpyHostToDevice));
    const int steps = 6;
    Elapsed elapsed;
    for (int k = 0; k < steps; ++k) step<<<dim3(W / 64, H / 4), dim3(64, 4)>>>(d[~k & 1], d[k & 1], w, 1.2f);
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), d[0], 36 * N, cudaMemcpyDeviceToHost));
    const float share[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    for (int s = 0; s < steps; ++s, a.swap(b))
        for (int i = 0; i < N; ++i) {
            const int x = i % W, y = i / W;
            float f[9], rho = 0, ux = 0, uy = 0;
            for (int k = 0; k < 9; ++k) {
                f[k] = a[k * N + (y - Y[k] + H) % H * W + (x - X[k] + W) % W];
                rho += f[k], ux += X[k] * f[k], uy += Y[k] * f[k];
            }
            ux /= rho, uy /= rho;
            for (int k = 0; k < 9; ++k) {
                const float along = 3 * (X[k] * ux + Y[k] * uy);
                b[k * N + i] = wall[i] ? f[back[k]] : f[k] + 1.2f * (share[k] * rho * (1 + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy)) - f[k]);
            }
        }
    bool right = true;
    for (int i = 0; i < 9 * N; i += 11) right = right && near(a[i], got[i], 1e-4);
    return verdict(right, "lattice");
}
