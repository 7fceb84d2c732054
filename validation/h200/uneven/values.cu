// Work that depends on computed values: rays, fractals, library functions, conversions, atomics, hot bins, strides.
#include "../kernels/common.cuh"

KERNEL escape_time(int* out, int width, int height, float x0, float y0, float scale, int most) {
    const int px = global_x(), py = global_y();
    if (px >= width || py >= height) return;
    const float cx = x0 + px * scale, cy = y0 + py * scale;
    float x = 0, y = 0;
    int k = 0;
    while (k < most && x * x + y * y < 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++k;
    }
    out[py * width + px] = k;
}

KERNEL march_spheres(float* depth, int width, int height, int spheres, int most) {
    const int px = global_x(), py = global_y();
    if (px >= width || py >= height) return;
    const float dx = (px - width * 0.5f) / height, dy = (py - height * 0.5f) / height;
    const float inverse = rsqrtf(dx * dx + dy * dy + 1.0f);
    float t = 0;
    int k = 0;
    for (; k < most; ++k) {
        const float x = dx * inverse * t, y = dy * inverse * t, z = inverse * t;
        float distance = 1e9f;
        for (int s = 0; s < spheres; ++s) {
            const float sx = x - (s % 4 - 1.5f), sy = y - (s / 4 - 1.5f), sz = z - 4.0f - s % 3;
            distance = fminf(distance, sqrtf(sx * sx + sy * sy + sz * sz) - 0.4f);
        }
        t += distance;
        if (distance < 1e-3f || t > 20.0f) break;
    }
    depth[py * width + px] = t;
}

KERNEL option_powers(const float* __restrict__ price, float* value, int n, float rate) {
    const int i = global_x();
    if (i >= n) return;
    float sum = 0;
    for (int k = 1; k <= 8; ++k) sum += powf(price[i], 0.25f * k) * rate;
    value[i] = sum;
}

KERNEL powers_double(const double* __restrict__ x, double* y, int n) {
    const int i = global_x();
    if (i < n) y[i] = pow(x[i], 1.7) + exp(x[i]) * sin(x[i]);
}

KERNEL scaled_double(const double* __restrict__ x, double* y, int n, double factor) {
    const int i = global_x();
    if (i >= n) return;
    const int rounds = static_cast<int>(n / factor);
    double sum = 0;
    for (int k = 0; k < rounds; ++k) sum += x[(i + k) % n] / (1.0 + k);
    y[i] = sum;
}

KERNEL histogram_global(const int* __restrict__ bin, int* count, int n) {
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&count[bin[i]], 1);
}

KERNEL histogram_shared(const int* __restrict__ bin, int* count, int n, int bins) {
    extern __shared__ int mine[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[bin[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        if (mine[b]) atomicAdd(&count[b], mine[b]);
}

KERNEL histogram_bytes(const unsigned char* __restrict__ text, unsigned* count, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[text[i]], 1u);
    __syncthreads();
    if (mine[threadIdx.x]) atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}

KERNEL scan_blocks(const int* __restrict__ in, int* out, int* sums, int n) {
    __shared__ int part[32];
    const int i = global_x(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = i < n ? in[i] : 0;
    for (int step = 1; step < 32; step *= 2) {
        const int y = __shfl_up_sync(~0u, x, step);
        if (lane >= step) x += y;
    }
    if (lane == 31) part[warp] = x;
    __syncthreads();
    if (warp == 0) {
        int y = lane < blockDim.x / 32 ? part[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int z = __shfl_up_sync(~0u, y, step);
            if (lane >= step) y += z;
        }
        part[lane] = y;
    }
    __syncthreads();
    if (warp) x += part[warp - 1];
    if (i < n) out[i] = x;
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = x;
}

KERNEL compact_positive(const int* __restrict__ in, int* out, int* count, int n, int mask) {
    const int i = global_x();
    if (i >= n) return;
    const int x = in[i];
    if (x > 0) out[atomicAdd(count, 1) & mask] = x;
}

KERNEL one_flag(const float* __restrict__ a, int* flag, int n, float limit) {
    const int i = global_x();
    if (i < n && a[i] < limit) *flag = 1;
}

KERNEL strided_copy(const float* __restrict__ in, float* out, int n, int stride) {
    const int i = global_x();
    if (i < n) out[i] = in[static_cast<long>(i) * stride % n];
}

KERNEL transpose_doubles(const double* __restrict__ in, double* out, int n) {
    const int x = global_x(), y = global_y();
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

KERNEL product_one_staged(const float* __restrict__ a, const float* __restrict__ b, float* c, int n) {
    __shared__ float row[16][16];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, line = blockIdx.y * 16 + y;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        row[y][x] = a[line * n + k + x];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += row[y][j] * b[(k + j) * n + column];
        __syncthreads();
    }
    c[line * n + column] = sum;
}

KERNEL assign_clusters(const float* __restrict__ point, const float* __restrict__ centre, int* member, int n, int clusters,
                       int features) {
    const int i = global_x();
    if (i >= n) return;
    float best = 1e30f;
    int which = 0;
    for (int c = 0; c < clusters; ++c) {
        float distance = 0;
        for (int f = 0; f < features; ++f) {
            const float d = point[f * n + i] - centre[c * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            which = c;
        }
    }
    member[i] = which;
}

KERNEL bitonic_step(int* a, int j, int k) {
    const int i = global_x(), other = i ^ j;
    if (other <= i) return;
    const int x = a[i], y = a[other], least = min(x, y), most = max(x, y);
    const bool up = (i & k) == 0;
    a[i] = up ? least : most;
    a[other] = up ? most : least;
}

KERNEL newton_roots(const float* __restrict__ target, float* root, int* rounds, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float t = target[i];
    float x = 1.0f;
    int k = 0;
    for (; k < 100; ++k) {
        const float step = (x * x * x - t) / (3.0f * x * x);
        x -= step;
        if (fabsf(step) < 1e-6f * fabsf(x)) break;
    }
    root[i] = x;
    rounds[i] = k;
}

KERNEL collatz(const unsigned* __restrict__ start, int* length, int n) {
    const int i = global_x();
    if (i >= n) return;
    unsigned long long x = start[i];
    int k = 0;
    while (x > 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        ++k;
    }
    length[i] = k;
}
