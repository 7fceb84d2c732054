// Many small filters in double precision, each thread with matrices of its own, and a smoothing pass backwards.
#include "digest.h"

constexpr int S = 4, M = 2;  // states and measurements

struct Model {
    double f[S][S], q[S][S], h[M][S], r[M][M];
};
__constant__ Model model;

__global__ void __launch_bounds__(128) run(const double2* measured, double* states, double* likelihood, int series, int steps) {
    const int own = blockIdx.x * blockDim.x + threadIdx.x;
    if (own >= series) return;
    double x[S] = {}, p[S][S] = {}, sum = 0;
    for (int i = 0; i < S; ++i) p[i][i] = 1;
    for (int step = 0; step < steps; ++step) {
        double next[S] = {}, fp[S][S] = {}, spread[S][S];
        for (int i = 0; i < S; ++i)
            for (int j = 0; j < S; ++j) {
                next[i] += model.f[i][j] * x[j];
                for (int k = 0; k < S; ++k) fp[i][j] += model.f[i][k] * p[k][j];
            }
        for (int i = 0; i < S; ++i)
            for (int j = 0; j < S; ++j) {
                spread[i][j] = model.q[i][j];
                for (int k = 0; k < S; ++k) spread[i][j] += fp[i][k] * model.f[j][k];
            }
        const double2 seen = measured[size_t(step) * series + own];
        double error[M] = {seen.x, seen.y}, hp[M][S] = {}, s[M][M];
        for (int i = 0; i < M; ++i)
            for (int j = 0; j < S; ++j) {
                error[i] -= model.h[i][j] * next[j];
                for (int k = 0; k < S; ++k) hp[i][j] += model.h[i][k] * spread[k][j];
            }
        for (int i = 0; i < M; ++i)
            for (int j = 0; j < M; ++j) {
                s[i][j] = model.r[i][j];
                for (int k = 0; k < S; ++k) s[i][j] += hp[i][k] * model.h[j][k];
            }
        const double det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        const double inverse[M][M] = {{s[1][1] / det, -s[0][1] / det}, {-s[1][0] / det, s[0][0] / det}};
        sum += log(det) + error[0] * (inverse[0][0] * error[0] + inverse[0][1] * error[1]) +
               error[1] * (inverse[1][0] * error[0] + inverse[1][1] * error[1]);
        for (int i = 0; i < S; ++i) {
            double gain[M];
            for (int j = 0; j < M; ++j) gain[j] = hp[0][i] * inverse[0][j] + hp[1][i] * inverse[1][j];
            x[i] = next[i] + gain[0] * error[0] + gain[1] * error[1];
            for (int j = 0; j < S; ++j) p[i][j] = spread[i][j] - gain[0] * hp[0][j] - gain[1] * hp[1][j];
        }
        for (int i = 0; i < S; ++i) states[(size_t(step) * S + i) * series + own] = x[i];
    }
    likelihood[own] = -0.5 * sum;
}
__global__ void smooth(double* states, int series, int steps) {
    const int own = blockIdx.x * blockDim.x + threadIdx.x, part = blockIdx.y;
    if (own >= series) return;
    double later = states[(size_t(steps - 1) * S + part) * series + own];
    for (int step = steps - 2; step >= 0; --step) {
        double& here = states[(size_t(step) * S + part) * series + own];
        later = here = 0.8 * here + 0.2 * later;
    }
}

int main(int count, char** given) {
    const int series = count > 1 ? atoi(given[1]) : 10000, steps = 20;
    Model made = {};
    for (int i = 0; i < S; ++i) made.f[i][i] = 1, made.q[i][i] = 0.01 * (i + 1);
    made.f[0][2] = made.f[1][3] = 0.1;
    made.h[0][0] = made.h[1][1] = 1;
    made.r[0][0] = made.r[1][1] = 0.25;
    made.r[0][1] = made.r[1][0] = 0.05;
    CHECK(cudaMemcpyToSymbol(model, &made, sizeof made));
    Random random(17);
    std::vector<double2> seen(size_t(series) * steps);
    for (auto& item : seen) item = make_double2(random.real(), random.real() * 2);
    double2* measured;
    double *states, *likelihood;
    CHECK(cudaMalloc(&measured, seen.size() * 16));
    CHECK(cudaMalloc(&states, size_t(series) * steps * S * 8));
    CHECK(cudaMalloc(&likelihood, series * 8));
    CHECK(cudaMemcpy(measured, seen.data(), seen.size() * 16, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    run<<<(series + 127) / 128, 128>>>(measured, states, likelihood, series, steps);
    smooth<<<dim3((series + 255) / 256, S), 256>>>(states, series, steps);
    elapsed.print();
    std::vector<double> result(series), all(size_t(series) * steps * S);
    CHECK(cudaMemcpy(result.data(), likelihood, series * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(all.data(), states, all.size() * 8, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int own = 0; own < series; own += 997) {
        double x[S] = {}, p[S][S] = {}, sum = 0, last = 0;
        for (int i = 0; i < S; ++i) p[i][i] = 1;
        for (int step = 0; step < steps; ++step) {
            double next[S] = {}, spread[S][S] = {}, s[M][M] = {}, ht[S][M] = {};
            for (int i = 0; i < S; ++i)
                for (int j = 0; j < S; ++j) {
                    next[i] += made.f[i][j] * x[j];
                    spread[i][j] += made.q[i][j];
                    for (int k = 0; k < S; ++k)
                        for (int l = 0; l < S; ++l) spread[i][j] += made.f[i][k] * p[k][l] * made.f[j][l];
                }
            for (int i = 0; i < S; ++i)
                for (int j = 0; j < M; ++j)
                    for (int k = 0; k < S; ++k) ht[i][j] += spread[i][k] * made.h[j][k];
            for (int i = 0; i < M; ++i)
                for (int j = 0; j < M; ++j) {
                    s[i][j] = made.r[i][j];
                    for (int k = 0; k < S; ++k) s[i][j] += made.h[i][k] * ht[k][j];
                }
            const double det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
            const double v[M][M] = {{s[1][1] / det, -s[0][1] / det}, {-s[1][0] / det, s[0][0] / det}};
            const double2 item = seen[size_t(step) * series + own];
            const double e[M] = {item.x - next[0], item.y - next[1]};
            sum += log(det) + e[0] * (v[0][0] * e[0] + v[0][1] * e[1]) + e[1] * (v[1][0] * e[0] + v[1][1] * e[1]);
            for (int i = 0; i < S; ++i) {
                const double g[M] = {ht[i][0] * v[0][0] + ht[i][1] * v[1][0], ht[i][0] * v[0][1] + ht[i][1] * v[1][1]};
                x[i] = next[i] + g[0] * e[0] + g[1] * e[1];
                for (int j = 0; j < S; ++j) p[i][j] = spread[i][j] - g[0] * ht[j][0] - g[1] * ht[j][1];
            }
            last = x[1];
        }
        right &= near(result[own], -0.5 * sum, 1e-9);
        right &= near(all[(size_t(steps - 1) * S + 1) * series + own], last, 1e-9);
    }
    digest("likelihood", result.data(), series * 8);
    return verdict(right, "filter_batch");
}
