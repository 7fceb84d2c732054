// Products c = alpha a b + beta c of square matrices in single precision, in the steps in which tutorials make them faster.
#define KERNEL extern "C" __global__ void

// A thread for each result; neighbouring threads have neighbouring rows.
KERNEL product_by_rows(int n, float alpha, const float* a, const float* b, float beta, float* c) {
    const int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// Neighbouring threads have neighbouring columns.
KERNEL product_by_columns(int n, float alpha, const float* a, const float* b, float beta, float* c) {
    const int row = blockIdx.x * 32 + threadIdx.x / 32, column = blockIdx.y * 32 + threadIdx.x % 32;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// Tiles of 32 by 32 in shared memory, a result for each of 1024 threads.
KERNEL product_shared(int n, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float left[32 * 32], right[32 * 32];
    const int y = threadIdx.x / 32, x = threadIdx.x % 32;
    a += blockIdx.x * 32 * n;
    b += blockIdx.y * 32;
    c += blockIdx.x * 32 * n + blockIdx.y * 32;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        left[y * 32 + x] = a[y * n + x];
        right[y * 32 + x] = b[y * n + x];
        __syncthreads();
        a += 32;
        b += 32 * n;
        for (int j = 0; j < 32; ++j) sum += left[y * 32 + j] * right[j * 32 + x];
        __syncthreads();
    }
    c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

// 64 by 64 results by 512 threads, eight in a column for each; 8 deep.
KERNEL product_column_of_eight(int n, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float left[64 * 8], right[8 * 64];
    const int t = threadIdx.x, x = t % 64, y = t / 64;
    a += blockIdx.y * 64 * n;
    b += blockIdx.x * 64;
    c += blockIdx.y * 64 * n + blockIdx.x * 64;
    float sums[8] = {};
    for (int k = 0; k < n; k += 8) {
        left[t] = a[t / 8 * n + t % 8];
        right[t] = b[y * n + x];
        __syncthreads();
        a += 8;
        b += 8 * n;
        for (int j = 0; j < 8; ++j) {
            const float v = right[j * 64 + x];
            for (int i = 0; i < 8; ++i) sums[i] += left[(y * 8 + i) * 8 + j] * v;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) c[(y * 8 + i) * n + x] = alpha * sums[i] + beta * c[(y * 8 + i) * n + x];
}

// 128 by 128 results by 256 threads, eight by eight for each; 8 deep.
KERNEL __launch_bounds__(256, 1) product_eight_by_eight(int n, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float left[128 * 8], right[8 * 128];
    const int t = threadIdx.x, x = t % 16, y = t / 16;
    a += blockIdx.y * 128 * n;
    b += blockIdx.x * 128;
    c += blockIdx.y * 128 * n + blockIdx.x * 128;
    float sums[64] = {}, u[8], v[8];
    for (int k = 0; k < n; k += 8) {
        for (int r = 0; r < 128; r += 32) left[(t / 8 + r) * 8 + t % 8] = a[(t / 8 + r) * n + t % 8];
        for (int r = 0; r < 8; r += 2) right[(t / 128 + r) * 128 + t % 128] = b[(t / 128 + r) * n + t % 128];
        __syncthreads();
        a += 8;
        b += 8 * n;
        for (int j = 0; j < 8; ++j) {
            for (int i = 0; i < 8; ++i) u[i] = left[(y * 8 + i) * 8 + j];
            for (int i = 0; i < 8; ++i) v[i] = right[j * 128 + x * 8 + i];
            for (int i = 0; i < 8; ++i)
                for (int q = 0; q < 8; ++q) sums[i * 8 + q] += u[i] * v[q];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int q = 0; q < 8; ++q) {
            float& to = c[(y * 8 + i) * n + x * 8 + q];
            to = alpha * sums[i * 8 + q] + beta * to;
        }
}

// The same with accesses of four numbers, the left tile turned.
KERNEL product_fours(int n, float alpha, const float* a, const float* b, float beta, float* c) {
    __shared__ float left[8 * 128], right[8 * 128];
    const int t = threadIdx.x, x = t % 16, y = t / 16, row = t / 2, four = t % 2 * 4;
    a += blockIdx.y * 128 * n;
    b += blockIdx.x * 128;
    c += blockIdx.y * 128 * n + blockIdx.x * 128;
    float sums[64] = {}, u[8], v[8];
    for (int k = 0; k < n; k += 8) {
        const float4 w = *reinterpret_cast<const float4*>(a + row * n + four);
        left[(four + 0) * 128 + row] = w.x;
        left[(four + 1) * 128 + row] = w.y;
        left[(four + 2) * 128 + row] = w.z;
        left[(four + 3) * 128 + row] = w.w;
        *reinterpret_cast<float4*>(right + t / 32 * 128 + t % 32 * 4) = *reinterpret_cast<const float4*>(b + t / 32 * n + t % 32 * 4);
        __syncthreads();
        a += 8;
        b += 8 * n;
        for (int j = 0; j < 8; ++j) {
            for (int i = 0; i < 8; ++i) u[i] = left[j * 128 + y * 8 + i];
            for (int i = 0; i < 8; ++i) v[i] = right[j * 128 + x * 8 + i];
            for (int i = 0; i < 8; ++i)
                for (int q = 0; q < 8; ++q) sums[i * 8 + q] += u[i] * v[q];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int q = 0; q < 8; q += 4) {
            float4* to = reinterpret_cast<float4*>(c + (y * 8 + i) * n + x * 8 + q);
            float4 w = *to;
            w.x = alpha * sums[i * 8 + q] + beta * w.x;
            w.y = alpha * sums[i * 8 + q + 1] + beta * w.y;
            w.z = alpha * sums[i * 8 + q + 2] + beta * w.z;
            w.w = alpha * sums[i * 8 + q + 3] + beta * w.w;
            *to = w;
        }
}

// A streaming kernel: bytes in pieces of 16, one for each thread and step, scaled (BabelStream's «mul» on bytes).
KERNEL scale_bytes(const uint4* __restrict__ in, uint4* out, int pieces) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pieces) return;
    uint4 v = in[i];
    unsigned char* p = reinterpret_cast<unsigned char*>(&v);
    for (int k = 0; k < 16; ++k) p[k] *= 3;
    out[i] = v;
}

// Triad of numbers of 16 bytes: a = b + s c.
KERNEL triad_wide(ulonglong2* a, const ulonglong2* __restrict__ b, const ulonglong2* __restrict__ c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const ulonglong2 u = b[i], v = c[i];
    const unsigned __int128 sum = ((static_cast<unsigned __int128>(u.y) << 64) | u.x) + 11 * ((static_cast<unsigned __int128>(v.y) << 64) | v.x);
    a[i] = {static_cast<unsigned long long>(sum), static_cast<unsigned long long>(sum >> 64)};
}
