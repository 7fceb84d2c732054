// Grids whose blocks do different amounts of work: steps of a factorisation, diagonals, triangles, boxes, long last blocks.
#include "../kernels/common.cuh"

constexpr int T = 16;

KERNEL lu_diagonal(float* a, int n, int offset) {
    __shared__ float tile[T][T + 1];
    const int t = threadIdx.x;
    float* first = a + offset * n + offset;
    for (int r = 0; r < T; ++r) tile[r][t] = first[r * n + t];
    __syncthreads();
    for (int k = 0; k < T - 1; ++k) {
        if (t > k) {
            tile[t][k] /= tile[k][k];
            for (int c = k + 1; c < T; ++c) tile[t][c] -= tile[t][k] * tile[k][c];
        }
        __syncthreads();
    }
    for (int r = 1; r < T; ++r) first[r * n + t] = tile[r][t];
}

KERNEL lu_border(float* a, int n, int offset) {
    __shared__ float pivot[T][T], row[T][T], column[T][T];
    const int t = threadIdx.x % T, half = threadIdx.x / T, far = offset + (blockIdx.x + 1) * T;
    for (int r = half; r < T; r += 2) {
        pivot[r][t] = a[(offset + r) * n + offset + t];
        row[r][t] = a[(offset + r) * n + far + t];
        column[r][t] = a[(far + r) * n + offset + t];
    }
    __syncthreads();
    if (half == 0) {
        for (int r = 1; r < T; ++r)
            for (int k = 0; k < r; ++k) row[r][t] -= pivot[r][k] * row[k][t];
    } else {
        for (int c = 0; c < T; ++c) {
            for (int k = 0; k < c; ++k) column[t][c] -= column[t][k] * pivot[k][c];
            column[t][c] /= pivot[c][c];
        }
    }
    __syncthreads();
    for (int r = half; r < T; r += 2) {
        a[(offset + r) * n + far + t] = row[r][t];
        a[(far + r) * n + offset + t] = column[r][t];
    }
}

KERNEL lu_inner(float* a, int n, int offset) {
    __shared__ float row[T][T], column[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int gx = offset + (blockIdx.x + 1) * T + x, gy = offset + (blockIdx.y + 1) * T + y;
    row[y][x] = a[(offset + y) * n + gx];
    column[y][x] = a[gy * n + offset + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < T; ++k) sum += column[y][k] * row[k][x];
    a[gy * n + gx] -= sum;
}

KERNEL align_diagonal(const int* __restrict__ score, int* table, int n, int diagonal, int gap) {
    __shared__ int cell[33][33];
    const int t = threadIdx.x, bx = blockIdx.x, by = diagonal - blockIdx.x;
    const int base = (by * 32 + 1) * (n + 1) + bx * 32 + 1;
    cell[0][t + 1] = table[base - (n + 1) + t];
    cell[t + 1][0] = table[base + t * (n + 1) - 1];
    if (t == 0) cell[0][0] = table[base - (n + 1) - 1];
    __syncwarp();
    for (int m = 0; m < 63; ++m) {
        const int i = m - t;
        if (i >= 0 && i < 32)
            cell[i + 1][t + 1] = max(cell[i][t] + score[base + i * (n + 1) + t],
                                     max(cell[i + 1][t] - gap, cell[i][t + 1] - gap));
        __syncwarp();
    }
    for (int r = 0; r < 32; ++r) table[base + r * (n + 1) + t] = cell[r + 1][t + 1];
}

KERNEL triangle_product(const float* __restrict__ l, const float* __restrict__ x, float* y, int n) {
    const int row = global_x();
    if (row >= n) return;
    float sum = 0;
    for (int k = 0; k <= row; ++k) sum += l[k * n + row] * x[k];
    y[row] = sum;
}

KERNEL rank_k_lower(const float* __restrict__ a, float* c, int n, int depth) {
    if (blockIdx.x > blockIdx.y) return;
    __shared__ float left[16][17], right[16][17];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < depth; k += 16) {
        left[y][x] = a[row * depth + k + x];
        right[y][x] = a[(blockIdx.x * 16 + y) * depth + k + x];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += left[y][j] * right[x][j];
        __syncthreads();
    }
    if (column <= row) c[row * n + column] = sum;
}

struct Body {
    float x, y, z, q;
};

KERNEL boxes_forces(const float4* __restrict__ body, float4* force, int boxes, int each, float cutoff) {
    __shared__ float4 other[128];
    const int bx = blockIdx.x, by = blockIdx.y, bz = blockIdx.z, t = threadIdx.x;
    const int home = (bz * boxes + by) * boxes + bx;
    const float4 mine = body[home * each + t];
    float4 sum = {0, 0, 0, 0};
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int x = bx + dx, y = by + dy, z = bz + dz;
                if (x < 0 || y < 0 || z < 0 || x >= boxes || y >= boxes || z >= boxes) continue;
                other[t] = body[((z * boxes + y) * boxes + x) * each + t];
                __syncthreads();
                for (int k = 0; k < each; ++k) {
                    const float ex = mine.x - other[k].x, ey = mine.y - other[k].y, ez = mine.z - other[k].z;
                    const float r2 = ex * ex + ey * ey + ez * ez + cutoff;
                    const float w = other[k].w * expf(-r2);
                    sum.x += w * ex;
                    sum.y += w * ey;
                    sum.z += w * ez;
                    sum.w += w;
                }
                __syncthreads();
            }
    force[home * each + t] = sum;
}

KERNEL long_block(float* a, int rounds, int factor, int which) {
    const int i = global_x(), n = blockIdx.x == which ? rounds * factor : rounds;
    float x = a[i];
    for (int k = 0; k < n; ++k) x = x * 0.999f + 0.5f;
    a[i] = x;
}

KERNEL growing_blocks(const float* __restrict__ a, float* out, int length) {
    float sum = 0;
    const int count = (blockIdx.x + 1) * length;
    for (int k = threadIdx.x; k < count; k += blockDim.x) sum += a[k];
    atomicAdd(&out[blockIdx.x], sum);
}

KERNEL edge_stencil(const float* __restrict__ in, float* out, int nx, int ny, int nz) {
    const int x = global_x(), y = global_y(), z = global_z();
    if (x >= nx || y >= ny || z >= nz) return;
    const int at = (z * ny + y) * nx + x;
    float sum = in[at];
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
        for (int k = 0; k < 64; ++k) sum = sum * 0.99f + in[at] / (1.0f + k * sum);
    } else {
        sum += in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - nx * ny] + in[at + nx * ny];
    }
    out[at] = sum;
}

KERNEL wavefront_row(const int* __restrict__ cost, const int* __restrict__ above, int* below, int n, int row, int height) {
    __shared__ int now[256], next[256];
    const int t = threadIdx.x, column = blockIdx.x * (256 - 2 * height) + t - height;
    const int at = min(max(column, 0), n - 1);
    now[t] = above[at];
    __syncthreads();
    for (int k = 0; k < height; ++k) {
        if (t > k && t < 255 - k) next[t] = cost[(row + k) * n + at] + min(now[t], min(now[t - 1], now[t + 1]));
        __syncthreads();
        now[t] = next[t];
        __syncthreads();
    }
    if (t >= height && t < 256 - height && column >= 0 && column < n) below[column] = now[t];
}
