// Kernels with tuning parameters as macros; NAME is the kernel's name, one for each configuration. SPACE chooses the kernel.
#define KERNEL extern "C" __global__ void
#ifdef UNROLL
constexpr int unrolled = UNROLL;  // pragmas take constants, not macros
#endif

#if defined(SPACE_gemm)  // C = A B, tiles BM x BN x BK in shared memory, TM x TN results a thread
KERNEL __launch_bounds__(BM / TM * (BN / TN)) NAME(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    __shared__ float left[BK][BM + PAD], right[BK][BN];
    constexpr int threads = BM / TM * (BN / TN);
    const int t = threadIdx.x, row = t / (BN / TN) * TM, column = t % (BN / TN) * TN;
    a += blockIdx.y * BM * n, b += blockIdx.x * BN, c += blockIdx.y * BM * n + blockIdx.x * BN;
    float sum[TM][TN] = {};
    for (int k = 0; k < n; k += BK) {
        for (int i = t; i < BM * BK; i += threads) left[i % BK][i / BK] = a[i / BK * n + k + i % BK];
        for (int i = t; i < BK * BN; i += threads) right[i / BN][i % BN] = b[(k + i / BN) * n + i % BN];
        __syncthreads();
#pragma unroll unrolled
        for (int j = 0; j < BK; ++j) {
            float x[TM], y[TN];
#pragma unroll
            for (int r = 0; r < TM; ++r) x[r] = left[j][row + r];
#pragma unroll
            for (int s = 0; s < TN; ++s) y[s] = right[j][column + s];
#pragma unroll
            for (int r = 0; r < TM; ++r)
#pragma unroll
                for (int s = 0; s < TN; ++s) sum[r][s] += x[r] * y[s];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < TM; ++r)
#pragma unroll
        for (int s = 0; s < TN; ++s) c[(row + r) * n + column + s] = sum[r][s];
}

#elif defined(SPACE_convolution)  // image * filter of F x F, TX x TY results a thread, image tile in shared memory
KERNEL NAME(const float* __restrict__ image, const float* __restrict__ filter, float* __restrict__ out, int width, int height) {
    constexpr int w = BX * TX + F - 1, h = BY * TY + F - 1;
    __shared__ float tile[h][w + PAD];
    const int x0 = blockIdx.x * BX * TX, y0 = blockIdx.y * BY * TY, t = threadIdx.y * BX + threadIdx.x;
    for (int i = t; i < w * h; i += BX * BY) {
        const int x = min(x0 + i % w, width - 1), y = min(y0 + i / w, height - 1);
        tile[i / w][i % w] = image[y * width + x];
    }
    __syncthreads();
    float sum[TY][TX] = {};
#pragma unroll unrolled
    for (int j = 0; j < F; ++j)
        for (int i = 0; i < F; ++i) {
            const float f = filter[j * F + i];
#pragma unroll
            for (int r = 0; r < TY; ++r)
#pragma unroll
                for (int s = 0; s < TX; ++s) sum[r][s] += f * tile[threadIdx.y + r * BY + j][threadIdx.x + s * BX + i];
        }
#pragma unroll
    for (int r = 0; r < TY; ++r)
#pragma unroll
        for (int s = 0; s < TX; ++s) {
            const int x = x0 + threadIdx.x + s * BX, y = y0 + threadIdx.y + r * BY;
            if (x < width && y < height) out[y * width + x] = sum[r][s];
        }
}

#elif defined(SPACE_stencil)  // STEPS steps of a five-point stencil, halo recomputed in shared memory
KERNEL NAME(const float* __restrict__ in, float* __restrict__ out, int n) {
    constexpr int w = BX * TX, h = BY * TY;
    __shared__ float now[2][h][w + PAD];
    const int x0 = blockIdx.x * (w - 2 * STEPS) - STEPS, y0 = blockIdx.y * (h - 2 * STEPS) - STEPS;
    for (int r = threadIdx.y; r < h; r += BY)
        for (int s = threadIdx.x; s < w; s += BX)
            now[0][r][s] = in[min(max(y0 + r, 0), n - 1) * n + min(max(x0 + s, 0), n - 1)];
    __syncthreads();
    for (int k = 0; k < STEPS; ++k) {
        for (int r = threadIdx.y; r < h; r += BY)
            for (int s = threadIdx.x; s < w; s += BX)
                if (r > k && r < h - 1 - k && s > k && s < w - 1 - k) {
                    const float(*p)[w + PAD] = now[k & 1];
                    now[~k & 1][r][s] = 0.5f * p[r][s] + 0.125f * (p[r - 1][s] + p[r + 1][s] + p[r][s - 1] + p[r][s + 1]);
                }
        __syncthreads();
    }
    for (int r = threadIdx.y; r < h; r += BY)
        for (int s = threadIdx.x; s < w; s += BX) {
            const int x = x0 + s, y = y0 + r;
            if (r >= STEPS && r < h - STEPS && s >= STEPS && s < w - STEPS && x < n && y < n) out[y * n + x] = now[STEPS & 1][r][s];
        }
}

#elif defined(SPACE_reduction)  // sum of an array: vectors of V, ITEMS of them a thread at a time
struct __align__(4 * V) Vector { float x[V]; };
KERNEL NAME(const Vector* __restrict__ in, float* out, int count) {
    __shared__ float part[BLOCK];
    float sum = 0;
    for (int base = blockIdx.x * BLOCK * ITEMS + threadIdx.x; base < count; base += gridDim.x * BLOCK * ITEMS)
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (base + k * BLOCK < count) {
                const Vector v = in[base + k * BLOCK];
#pragma unroll
                for (int j = 0; j < V; ++j) sum += v.x[j];
            }
#if SHUFFLE
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
#else
    part[threadIdx.x] = sum;
    for (int step = BLOCK / 2; step; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
#endif
}

#elif defined(SPACE_transpose)  // tiles of TILE, ROWS rows of threads
KERNEL NAME(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[TILE][TILE + PAD];
    for (int b = 0; b < BLOCKS; ++b) {
        const int x = (blockIdx.x * BLOCKS + b) * TILE, y = blockIdx.y * TILE;
        if (b) __syncthreads();
#pragma unroll unrolled
        for (int r = threadIdx.y; r < TILE; r += ROWS)
            for (int s = threadIdx.x; s < TILE; s += COLUMNS) tile[r][s] = in[(y + r) * n + x + s];
        __syncthreads();
#pragma unroll unrolled
        for (int r = threadIdx.y; r < TILE; r += ROWS)
            for (int s = threadIdx.x; s < TILE; s += COLUMNS) out[(x + r) * n + y + s] = tile[s][r];
    }
}

#elif defined(SPACE_spmv)  // LANES threads a row, ROWS rows one after the other
KERNEL NAME(const int* __restrict__ rows, const int* __restrict__ columns, const float* __restrict__ values,
            const float* __restrict__ x, float* __restrict__ y, int n) {
    const int group = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    for (int r = 0; r < ROWS; ++r) {
        const int row = group * ROWS + r;
        float sum = 0;
        if (row < n) {
            const int end = rows[row + 1];
#pragma unroll unrolled
            for (int e = rows[row] + lane; e < end; e += LANES) sum += values[e] * x[columns[e]];
        }
        for (int step = LANES / 2; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step, LANES);
        if (row < n && lane == 0) y[row] = sum;
    }
}

#elif defined(SPACE_nbody)  // forces on EACH bodies a thread, others by tiles of TILE
KERNEL NAME(const float4* __restrict__ body, float4* __restrict__ force, int n) {
    __shared__ float4 other[TILE];
    float3 sum[EACH] = {};
    float4 mine[EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) mine[k] = body[(blockIdx.x * EACH + k) * BLOCK + threadIdx.x];
    for (int base = 0; base < n; base += TILE) {
        for (int i = threadIdx.x; i < TILE; i += BLOCK) other[i] = body[base + i];
        __syncthreads();
#pragma unroll unrolled
        for (int j = 0; j < TILE; ++j)
#pragma unroll
            for (int k = 0; k < EACH; ++k) {
                const float dx = other[j].x - mine[k].x, dy = other[j].y - mine[k].y, dz = other[j].z - mine[k].z;
                const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
                const float w = other[j].w * inverse * inverse * inverse;
                sum[k].x += w * dx, sum[k].y += w * dy, sum[k].z += w * dz;
            }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < EACH; ++k) force[(blockIdx.x * EACH + k) * BLOCK + threadIdx.x] = {sum[k].x, sum[k].y, sum[k].z, 0};
}

#elif defined(SPACE_histogram)  // COPIES of the bins in shared memory, ITEMS a thread
KERNEL NAME(const int* __restrict__ in, int* __restrict__ bins, int count) {
    __shared__ int mine[COPIES][256 + PAD];
    for (int i = threadIdx.x; i < COPIES * (256 + PAD); i += BLOCK) (&mine[0][0])[i] = 0;
    __syncthreads();
    const int copy = threadIdx.x % COPIES;
    for (int base = blockIdx.x * BLOCK * ITEMS + threadIdx.x; base < count; base += gridDim.x * BLOCK * ITEMS)
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (base + k * BLOCK < count) atomicAdd(&mine[copy][in[base + k * BLOCK]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += BLOCK) {
        int sum = 0;
        for (int c = 0; c < COPIES; ++c) sum += mine[c][i];
        atomicAdd(&bins[i], sum);
    }
}

#elif defined(SPACE_layernorm)  // rows of 4096 to mean 0 and variance 1: WIDTH threads a row, ROWS rows a block, vectors of V
struct __align__(4 * V) Vector { float x[V]; };
__device__ float total(float value, float* part) {  // over the threads of a row
    for (int step = 16; step; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    if (WIDTH > 32) {
        __syncthreads();
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
        __syncthreads();
        value = 0;
        for (int w = 0; w < WIDTH / 32; ++w) value += part[w];
    }
    return value;
}
KERNEL __launch_bounds__(WIDTH * ROWS) NAME(const Vector* __restrict__ in, Vector* __restrict__ out) {
    __shared__ float parts[ROWS][32];
    constexpr int each = 4096 / (WIDTH * V), steps = KEEP ? each : unrolled;
    const size_t row = (size_t)(blockIdx.x * ROWS + threadIdx.y) * (4096 / V) + threadIdx.x;
    Vector kept[KEEP ? each : 1];
    float sum = 0, squares = 0;
#pragma unroll steps
    for (int i = 0; i < each; ++i) {
        const Vector v = in[row + i * WIDTH];
        if (KEEP) kept[KEEP ? i : 0] = v;
#pragma unroll
        for (int j = 0; j < V; ++j) sum += v.x[j], squares += v.x[j] * v.x[j];
    }
    const float mean = total(sum, parts[threadIdx.y]) / 4096;
    if (!ONCE) {  // squares of the differences from the mean
        squares = 4096 / WIDTH * mean * mean;
#pragma unroll steps
        for (int i = 0; i < each; ++i) {
            const Vector v = KEEP ? kept[KEEP ? i : 0] : in[row + i * WIDTH];
#pragma unroll
            for (int j = 0; j < V; ++j) squares += (v.x[j] - mean) * (v.x[j] - mean);
        }
    }
    const float scale = rsqrtf(total(squares, parts[threadIdx.y]) / 4096 - mean * mean + 1e-5f);
#pragma unroll steps
    for (int i = 0; i < each; ++i) {
        Vector v = KEEP ? kept[KEEP ? i : 0] : in[row + i * WIDTH];
#pragma unroll
        for (int j = 0; j < V; ++j) v.x[j] = (v.x[j] - mean) * scale;
        out[row + i * WIDTH] = v;
    }
}

#elif defined(SPACE_scan)  // running sums within TILES tiles a block, ITEMS a thread; STAGED: loads and stores by neighbours
KERNEL __launch_bounds__(BLOCK) NAME(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[STAGED ? BLOCK * (ITEMS + PAD) : 1], sums[2][BLOCK];
    const int t = threadIdx.x;
    float before = 0;
    for (int k = 0; k < TILES; ++k) {
        const int base = (blockIdx.x * TILES + k) * BLOCK * ITEMS;
        float x[ITEMS];
        if (STAGED) {
            for (int i = t; i < BLOCK * ITEMS; i += BLOCK) tile[i + i / ITEMS * PAD] = in[base + i];
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            x[i] = STAGED ? tile[t * (ITEMS + PAD) + i] : in[base + t * ITEMS + i];
            if (i) x[i] += x[i - 1];
        }
        float sum = x[ITEMS - 1], all;
#if SHUFFLE
        for (int step = 1; step < 32; step *= 2) {
            const float other = __shfl_up_sync(~0u, sum, step);
            if (t % 32 >= step) sum += other;
        }
        if (t % 32 == 31) sums[0][t / 32] = sum;
        __syncthreads();
        float warps = 0;
        all = 0;
        for (int w = 0; w < BLOCK / 32; ++w) {
            if (w == t / 32) warps = all;
            all += sums[0][w];
        }
        sum += warps;
#else
        int now = 0;
        sums[0][t] = sum;
        for (int step = 1; step < BLOCK; step *= 2, now ^= 1) {
            __syncthreads();
            sums[now ^ 1][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0.0f);
        }
        __syncthreads();
        sum = sums[now][t], all = sums[now][BLOCK - 1];
#endif
        const float left = before + sum - x[ITEMS - 1];
        before += all;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) (STAGED ? tile[t * (ITEMS + PAD) + i] : out[base + t * ITEMS + i]) = x[i] + left;
        __syncthreads();
        if (STAGED) {
            for (int i = t; i < BLOCK * ITEMS; i += BLOCK) out[base + i] = tile[i + i / ITEMS * PAD];
            __syncthreads();
        }
    }
}

#elif defined(SPACE_jacobi3d)  // seven-point stencil, planes one after the other, those above and below in registers
KERNEL __launch_bounds__(BX * BY) NAME(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float plane[SHARED ? BY * TY + 2 : 1][SHARED ? BX * TX + 2 : 1];
    const int x0 = blockIdx.x * BX * TX, y0 = blockIdx.y * BY * TY, z0 = blockIdx.z * TZ, area = n * n;
    auto at = [&](int x, int y, int z) {
        return in[min(max(z, 0), n - 1) * area + min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1)];
    };
    float below[TY][TX], here[TY][TX], above[TY][TX];
#pragma unroll
    for (int r = 0; r < TY; ++r)
#pragma unroll
        for (int s = 0; s < TX; ++s) {
            const int x = x0 + s * BX + threadIdx.x, y = y0 + r * BY + threadIdx.y;
            below[r][s] = at(x, y, z0 - 1), here[r][s] = at(x, y, z0);
        }
#pragma unroll unrolled
    for (int k = 0; k < TZ; ++k) {
        const int z = z0 + k;
        if (SHARED) {
            __syncthreads();
            for (int i = threadIdx.y * BX + threadIdx.x; i < (BX * TX + 2) * (BY * TY + 2); i += BX * BY) {
                const int r = i / (BX * TX + 2), s = i % (BX * TX + 2);
                plane[SHARED ? r : 0][SHARED ? s : 0] = at(x0 + s - 1, y0 + r - 1, z);
            }
            __syncthreads();
        }
#pragma unroll
        for (int r = 0; r < TY; ++r)
#pragma unroll
            for (int s = 0; s < TX; ++s) {
                const int i = s * BX + threadIdx.x, j = r * BY + threadIdx.y, x = x0 + i, y = y0 + j;
                above[r][s] = at(x, y, z + 1);
                float around;
                if (SHARED) {
                    const float* p = &plane[SHARED ? j + 1 : 0][SHARED ? i + 1 : 0];
                    around = p[-1] + p[1] + p[-(BX * TX + 2)] + p[BX * TX + 2];
                } else {
                    around = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z);
                }
                out[z * area + y * n + x] = 0.4f * here[r][s] + 0.1f * (around + below[r][s] + above[r][s]);
                below[r][s] = here[r][s], here[r][s] = above[r][s];
            }
    }
}

#elif defined(SPACE_dedispersion)  // sums over 256 channels of samples delayed by channel and trial; TX samples, TY trials a thread
KERNEL __launch_bounds__(BX * BY) NAME(const float* __restrict__ in, float* __restrict__ out, int samples, int padded) {
    const int t0 = blockIdx.x * BX * TX + threadIdx.x * (ADJACENT ? TX : 1), d0 = blockIdx.y * BY * TY + threadIdx.y * TY;
    float sum[TY][TX] = {};
#pragma unroll unrolled
    for (int c = 0; c < 256; ++c)
#pragma unroll
        for (int r = 0; r < TY; ++r) {
            const float* row = in + c * padded + ((d0 + r) * c * 3 >> 8) + t0;
#pragma unroll
            for (int s = 0; s < TX; ++s) sum[r][s] += row[s * (ADJACENT ? 1 : BX)];
        }
#pragma unroll
    for (int r = 0; r < TY; ++r)
#pragma unroll
        for (int s = 0; s < TX; ++s) out[(d0 + r) * samples + t0 + s * (ADJACENT ? 1 : BX)] = sum[r][s];
}
#endif
