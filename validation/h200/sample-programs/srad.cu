// In the manner of Rodinia's srad (version 1): an image is reduced to two sums, which steer a diffusion step.
#include "../programs/check.h"
constexpr int R = 502, C = 458, N = R * C, T = 512;
__constant__ int north[R], south[R];
__global__ void extract(float* image) { const int i = blockIdx.x * T + threadIdx.x; if (i < N) image[i] = expf(image[i] / 255); }
__global__ void prepare(const float* image, float* sums, float* squares) {
    const int i = blockIdx.x * T + threadIdx.x;
    if (i < N) sums[i] = image[i], squares[i] = image[i] * image[i];
}
__global__ void reduce(int n, int stride, float* sums, float* squares) {
    __shared__ float a[T], b[T];
    const int t = threadIdx.x, i = blockIdx.x * T + t;
    a[t] = i < n ? sums[i * stride] : 0;
    b[t] = i < n ? squares[i * stride] : 0;
    __syncthreads();
    for (int half = T / 2; half; half /= 2) {
        if (t < half) a[t] += a[t + half], b[t] += b[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x * T * stride] = a[0], squares[blockIdx.x * T * stride] = b[0];
}
struct Gradients { float *n, *s, *w, *e, *c; };
__global__ void srad_first(Gradients g, const float* image, float q0) {
    const int i = blockIdx.x * T + threadIdx.x;
    if (i >= N) return;
    const int row = i % R, col = i / R;
    const float j = image[i], dn = image[north[row] + R * col] - j, ds = image[south[row] + R * col] - j;
    const float dw = image[row + R * max(col - 1, 0)] - j, de = image[row + R * min(col + 1, C - 1)] - j;
    const float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (j * j), l = (dn + ds + dw + de) / j;
    const float num = 0.5f * g2 - (1.0f / 16) * (l * l), den = 1 + 0.25f * l, q = num / (den * den);
    g.c[i] = __saturatef(1 / (1 + (q - q0) / (q0 * (1 + q0))));
    g.n[i] = dn, g.s[i] = ds, g.w[i] = dw, g.e[i] = de;
}
__global__ void srad_second(Gradients g, float* image, float lambda) {
    const int i = blockIdx.x * T + threadIdx.x;
    if (i >= N) return;
    const int row = i % R, col = i / R;
    const float c = g.c[i], cs = g.c[south[row] + R * col], ce = g.c[row + R * min(col + 1, C - 1)];
    image[i] += 0.25f * lambda * (c * g.n[i] + cs * g.s[i] + c * g.w[i] + ce * g.e[i]);
}
__global__ void compress(float* image) { const int i = blockIdx.x * T + threadIdx.x; if (i < N) image[i] = logf(image[i]) * 255; }
static void on_host(std::vector<float>& a, int rounds) {
    for (auto& v : a) v = expf(v / 255);
    std::vector<float> c(N), dn(N), ds(N), dw(N), de(N);
    for (int round = 0; round < rounds; ++round) {
        double sum = 0, sq = 0;
        for (float v : a) sum += v, sq += double(v) * v;
        const float mean = sum / N, q0 = (sq / N - mean * mean) / (mean * mean);
        for (int i = 0; i < N; ++i) {
            const int r = i % R, k = i / R;
            const float j = a[i];
            dn[i] = a[std::max(r - 1, 0) + R * k] - j, ds[i] = a[std::min(r + 1, R - 1) + R * k] - j;
            dw[i] = a[r + R * std::max(k - 1, 0)] - j, de[i] = a[r + R * std::min(k + 1, C - 1)] - j;
            const float g2 = (dn[i] * dn[i] + ds[i] * ds[i] + dw[i] * dw[i] + de[i] * de[i]) / (j * j), l = (dn[i] + ds[i] + dw[i] + de[i]) / j;
            const float den = 1 + 0.25f * l, q = (0.5f * g2 - (1.0f / 16) * (l * l)) / (den * den);
            c[i] = fminf(1, fmaxf(0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
        }
        for (int i = 0; i < N; ++i) {
            const int r = i % R, k = i / R;
            a[i] += 0.125f * (c[i] * dn[i] + c[std::min(r + 1, R - 1) + R * k] * ds[i] + c[i] * dw[i] + c[r + R * std::min(k + 1, C - 1)] * de[i]);
        }
    }
    for (auto& v : a) v = logf(v) * 255;
}
int main() {
    std::vector<float> a(N), got(N);
    std::vector<int> up(R), down(R);
    Random random(3);
    for (auto& v : a) v = random.real() * 255;
    for (int r = 0; r < R; ++r) up[r] = std::max(r - 1, 0), down[r] = std::min(r + 1, R - 1);
    CHECK(cudaMemcpyToSymbol(north, up.data(), R * 4));
    CHECK(cudaMemcpyToSymbol(south, down.data(), R * 4, 0, cudaMemcpyHostToDevice));
    float *image, *sums, *squares;
    Gradients g;
    for (float** p : {&image, &sums, &squares, &g.n, &g.s, &g.w, &g.e, &g.c}) CHECK(cudaMalloc(p, N * 4));
    CHECK(cudaMemcpy(image, a.data(), N * 4, cudaMemcpyHostToDevice));
    const int blocks = (N + T - 1) / T;
    Elapsed elapsed;
    extract<<<blocks, T>>>(image);
    for (int round = 0; round < 4; ++round) {
        prepare<<<blocks, T>>>(image, sums, squares);
        for (int n = N, stride = 1;; n = (n + T - 1) / T, stride *= T) {
            reduce<<<(n + T - 1) / T, T>>>(n, stride, sums, squares);
            if (n <= T) break;
        }
        float sum, sq;
        CHECK(cudaMemcpy(&sum, sums, 4, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&sq, squares, 4, cudaMemcpyDeviceToHost));
        const float mean = sum / N;
        srad_first<<<blocks, T>>>(g, image, (sq / N - mean * mean) / (mean * mean));
        srad_second<<<blocks, T>>>(g, image, 0.5f);
    }
    compress<<<blocks, T>>>(image);
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), image, N * 4, cudaMemcpyDeviceToHost));
    on_host(a, 4);
    bool right = true;
    for (int i = 0; i < N; ++i) right = right && fabs(got[i] - a[i]) < 0.05;
    return verdict(right, "srad");
}
