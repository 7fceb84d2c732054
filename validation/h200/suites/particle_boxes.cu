// In the manner of Rodinia's lavaMD: forces in double precision between particles of neighbouring boxes.
#include "../programs/check.h"
struct Four {
    double v, x, y, z;
};
constexpr int per_box = 64;
__global__ void forces(const Four* where, const double* charge, const int* neighbours, Four* out, double alpha) {
    __shared__ Four near_by[per_box];
    __shared__ double charges[per_box];
    const int box = blockIdx.x, t = threadIdx.x;
    const Four own = where[box * per_box + t];
    Four sum = {0, 0, 0, 0};
    for (int k = 0; k < 27; ++k) {
        const int other = neighbours[box * 27 + k];
        if (other < 0) continue;
        near_by[t] = where[other * per_box + t];
        charges[t] = charge[other * per_box + t];
        __syncthreads();
        for (int j = 0; j < per_box; ++j) {
            const double r2 = own.v + near_by[j].v - (own.x * near_by[j].x + own.y * near_by[j].y + own.z * near_by[j].z);
            const double u = exp(-alpha * r2), f = 2 * u * charges[j];
            sum.v += charges[j] * u;
            sum.x += f * (own.x - near_by[j].x), sum.y += f * (own.y - near_by[j].y), sum.z += f * (own.z - near_by[j].z);
        }
        __syncthreads();
    }
    out[box * per_box + t] = sum;
}
int main() {
    const int side = 6, boxes = side * side * side, n = boxes * per_box;
    std::vector<Four> where(n), got(n);
    std::vector<double> charge(n);
    std::vector<int> neighbours(boxes * 27, -1);
    Random random(31);
    for (int i = 0; i < n; ++i) {
        where[i] = {random.real(), random.real(), random.real(), random.real()};
        charge[i] = random.real();
    }
    for (int b = 0; b < boxes; ++b)
        for (int k = 0; k < 27; ++k) {
            const int x = b % side + k % 3 - 1, y = b / side % side + k / 3 % 3 - 1, z = b / side / side + k / 9 - 1;
            if (x >= 0 && y >= 0 && z >= 0 && x < side && y < side && z < side) neighbours[b * 27 + k] = (z * side + y) * side + x;
        }
    Four *w, *o;
    double* c;
    int* l;
    CHECK(cudaMalloc(&w, n * sizeof(Four)));
    CHECK(cudaMalloc(&o, n * sizeof(Four)));
    CHECK(cudaMalloc(&c, n * 8));
    CHECK(cudaMalloc(&l, boxes * 27 * 4));
    CHECK(cudaMemcpy(w, where.data(), n * sizeof(Four), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(c, charge.data(), n * 8, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(l, neighbours.data(), boxes * 27 * 4, cudaMemcpyHostToDevice));
    forces<<<boxes, per_box>>>(w, c, l, o, 0.5);
    CHECK(cudaMemcpy(got.data(), o, n * sizeof(Four), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; i += 501) {
        Four sum = {0, 0, 0, 0};
        for (int k = 0; k < 27; ++k) {
            const int other = neighbours[i / per_box * 27 + k];
            for (int j = 0; other >= 0 && j < per_box; ++j) {
                const Four &a = where[i], &b = where[other * per_box + j];
                const double u = exp(-0.5 * (a.v + b.v - (a.x * b.x + a.y * b.y + a.z * b.z))), q = charge[other * per_box + j];
                sum.v += q * u, sum.x += 2 * u * q * (a.x - b.x);
            }
        }
        right = right && near(sum.v, got[i].v, 1e-10) && fabs(sum.x - got[i].x) < 1e-8;
    }
    return verdict(right, "particle_boxes");
}
