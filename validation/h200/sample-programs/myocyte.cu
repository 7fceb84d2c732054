// In the manner of Rodinia's myocyte: few threads, each with a long chain of exponentials: one warp a cell.
#include "../programs/check.h"
constexpr int STATES = 16, CELLS = 64, STEPS = 50;
struct Parameters { float gain[STATES], half[STATES], slope[STATES]; };
__constant__ Parameters parameters;
__host__ __device__ inline float rate(const Parameters& p, int k, float v, float s) {
    const float open = 1 / (1 + expf(-(v + p.half[k]) / p.slope[k]));
    const float tau = 1 + 5 * expf(-(v * v) / 900) + (k % 3 ? logf(2 + fabsf(v)) : powf(1 + fabsf(s), 0.3f));
    return (open - s) / tau;
}
__global__ void cells(float* states, float* volts, int steps) {
    const int cell = blockIdx.x, t = threadIdx.x;
    __shared__ float current[STATES];
    float s = t < STATES ? states[cell * STATES + t] : 0, v = volts[cell];
    for (int step = 0; step < steps; ++step) {
        if (t < STATES) {
            s += 0.01f * rate(parameters, t, v, s);
            current[t] = parameters.gain[t] * s * (v - 20 + 3 * t);
        }
        __syncthreads();
        float sum = 0;
        for (int k = 0; k < STATES; ++k) sum += current[k];
        v -= 0.01f * sum;
        __syncthreads();
    }
    if (t < STATES) states[cell * STATES + t] = s;
    if (t == 0) volts[cell] = v;
}
int main() {
    Parameters p;
    for (int k = 0; k < STATES; ++k) p.gain[k] = 0.05f * (k % 5 + 1), p.half[k] = 40 - 3 * k, p.slope[k] = 5 + k;
    std::vector<float> s(CELLS * STATES), v(CELLS), gs(s), gv(v);
    for (int c = 0; c < CELLS; ++c) {
        v[c] = -80 + c;
        for (int k = 0; k < STATES; ++k) s[c * STATES + k] = 0.01f * (k + c);
    }
    float *ds, *dv;
    void* where;
    size_t bytes = 0;
    CHECK(cudaGetSymbolAddress(&where, parameters));
    CHECK(cudaGetSymbolSize(&bytes, parameters));
    CHECK(cudaMemcpyAsync(where, &p, bytes, cudaMemcpyHostToDevice, 0));
    CHECK(cudaMalloc(&ds, s.size() * 4)); CHECK(cudaMalloc(&dv, v.size() * 4));
    CHECK(cudaMemcpy(ds, s.data(), s.size() * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(dv, v.data(), v.size() * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    cells<<<CELLS, 32>>>(ds, dv, STEPS);
    CHECK(cudaDeviceSynchronize());
    elapsed.print();
    CHECK(cudaMemcpy(gs.data(), ds, s.size() * 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(gv.data(), dv, v.size() * 4, cudaMemcpyDeviceToHost));
    bool right = bytes == sizeof p;
    for (int c = 0; c < CELLS; ++c) {
        for (int step = 0; step < STEPS; ++step) {
            float sum = 0;
            for (int k = 0; k < STATES; ++k) {
                float& x = s[c * STATES + k];
                x += 0.01f * rate(p, k, v[c], x);
                sum += p.gain[k] * x * (v[c] - 20 + 3 * k);
            }
            v[c] -= 0.01f * sum;
        }
        right = right && near(gv[c], v[c], 1e-4);
        for (int k = 0; k < STATES; ++k) right = right && near(gs[c * STATES + k], s[c * STATES + k], 1e-3);
    }
    return verdict(right, "myocyte");
}
