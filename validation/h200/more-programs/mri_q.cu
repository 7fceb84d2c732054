// Phases of points in space, sampled in frequency, in the manner of Parboil's mri-q.
#include "../programs/check.h"
constexpr int K = 512, N = 32768;
struct Sample { float x, y, z, magnitude; };
__constant__ Sample samples[K];
__global__ void magnitudes(float* out, const float* re, const float* im) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < K) out[i] = re[i] * re[i] + im[i] * im[i];
}
__global__ void phases(const float* x, const float* y, const float* z, float* re, float* im) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float px = x[i], py = y[i], pz = z[i];
    float a = re[i], b = im[i];
    for (int k = 0; k < K; k += 2) {
        float angle = 6.2831853071795864769f * (samples[k].x * px + samples[k].y * py + samples[k].z * pz);
        a += samples[k].magnitude * cosf(angle), b += samples[k].magnitude * sinf(angle);
        angle = 6.2831853071795864769f * (samples[k + 1].x * px + samples[k + 1].y * py + samples[k + 1].z * pz);
        a += samples[k + 1].magnitude * cosf(angle), b += samples[k + 1].magnitude * sinf(angle);
    }
    re[i] = a, im[i] = b;
}
int main() {
    Random random(10);
    std::vector<float> p[3], re(K), im(K), mag(K), q(N);
    for (auto& v : p) { v.resize(N); for (auto& e : v) e = random.real() - 0.5f; }
    for (int k = 0; k < K; ++k) re[k] = random.real(), im[k] = random.real();
    float* d[8];
    for (auto& v : d) CHECK(cudaMalloc(&v, N * 4));
    CHECK(cudaMemcpy(d[5], re.data(), K * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[6], im.data(), K * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    magnitudes<<<1, 512>>>(d[7], d[5], d[6]);
    CHECK(cudaMemcpy(mag.data(), d[7], K * 4, cudaMemcpyDeviceToHost));
    std::vector<Sample> s(K);
    for (auto& v : s) v = {8 * random.real(), 8 * random.real(), 8 * random.real(), mag[&v - s.data()]};
    CHECK(cudaMemcpyToSymbol(samples, s.data(), K * sizeof(Sample)));
    for (int k = 0; k < 3; ++k) CHECK(cudaMemcpy(d[k], p[k].data(), N * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d[3], 0, N * 4)); CHECK(cudaMemset(d[4], 0, N * 4));
    phases<<<N / 256, 256>>>(d[0], d[1], d[2], d[3], d[4]);
    elapsed.print();
    CHECK(cudaMemcpy(q.data(), d[3], N * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < N; i += 97) {
        double sum = 0, size = 0;
        for (auto& v : s) {
            const double angle = 2 * M_PI * ((double)v.x * p[0][i] + (double)v.y * p[1][i] + (double)v.z * p[2][i]);
            sum += v.magnitude * cos(angle), size += v.magnitude;
        }
        right = right && fabs(sum - q[i]) < 1e-4 * size;
    }
    return verdict(right, "mri_q");
}
