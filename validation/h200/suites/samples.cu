// Images, numbers, sorting and tables in the manner of vendors' samples: templates, shared tiles with halos, warp functions.
#define KERNEL extern "C" __global__ void
typedef unsigned int uint;

__constant__ float taps[17];
// separable filter: rows of 16 x 4 threads with 8 results each, halo of one block each side
KERNEL u_filter_rows(float *dst, const float *src, int w, int h, int pitch)
{
    __shared__ float s[4][10 * 16];
    const int bx = (blockIdx.x * 8 - 1) * 16 + threadIdx.x, by = blockIdx.y * 4 + threadIdx.y;
    src += by * pitch + bx; dst += by * pitch + bx;
#pragma unroll
    for (int i = 1; i < 9; i++) s[threadIdx.y][threadIdx.x + i * 16] = src[i * 16];
    s[threadIdx.y][threadIdx.x] = bx >= 0 ? src[0] : 0;
    s[threadIdx.y][threadIdx.x + 9 * 16] = w - bx > 9 * 16 ? src[9 * 16] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 1; i < 9; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -8; j <= 8; j++) sum += taps[8 - j] * s[threadIdx.y][threadIdx.x + i * 16 + j];
        dst[i * 16] = sum;
    }
}
KERNEL u_filter_columns(float *dst, const float *src, int w, int h, int pitch)
{
    __shared__ float s[16][10 * 8 + 1];
    const int bx = blockIdx.x * 16 + threadIdx.x, by = (blockIdx.y * 8 - 1) * 8 + threadIdx.y;
    src += by * pitch + bx; dst += by * pitch + bx;
#pragma unroll
    for (int i = 1; i < 9; i++) s[threadIdx.x][threadIdx.y + i * 8] = src[i * 8 * pitch];
    s[threadIdx.x][threadIdx.y] = by >= 0 ? src[0] : 0;
    s[threadIdx.x][threadIdx.y + 72] = h - by > 72 ? src[72 * pitch] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 1; i < 9; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -8; j <= 8; j++) sum += taps[8 - j] * s[threadIdx.x][threadIdx.y + i * 8 + j];
        dst[i * 8 * pitch] = sum;
    }
}
// cosine transforms of 8 x 8 pixels, eight threads a block of pixels
KERNEL u_cosines(float *dst, const float *src, int stride)
{
    __shared__ float tile[16][8 * 9];
    const int quad = threadIdx.x / 8, l = threadIdx.x % 8, x0 = (blockIdx.x * 16 + quad) * 8, y0 = blockIdx.y * 8;
    float v[8];
#pragma unroll
    for (int i = 0; i < 8; i++) tile[quad][i * 9 + l] = src[(y0 + i) * stride + x0 + l];
    __syncwarp();
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
#pragma unroll
        for (int i = 0; i < 8; i++) v[i] = pass ? tile[quad][i * 9 + l] : tile[quad][l * 9 + i];
        float a0 = v[0] + v[7], a1 = v[1] + v[6], a2 = v[2] + v[5], a3 = v[3] + v[4], b0 = v[0] - v[7], b1 = v[6] - v[1], b2 = v[2] - v[5], b3 = v[4] - v[3];
        float r[8] = {0.3535534f * (a0 + a1 + a2 + a3), 0.4903926f * b0 - 0.4157348f * b1 + 0.2777851f * b2 - 0.0975452f * b3, 0.4619398f * (a0 - a3) + 0.1913417f * (a1 - a2),
                      0.4157348f * b0 + 0.0975452f * b1 - 0.4903926f * b2 + 0.2777851f * b3, 0.3535534f * (a0 - a1 - a2 + a3), 0.2777851f * b0 + 0.4903926f * b1 + 0.0975452f * b2 - 0.4157348f * b3,
                      0.1913417f * (a0 - a3) - 0.4619398f * (a1 - a2), 0.0975452f * b0 + 0.2777851f * b1 + 0.4157348f * b2 + 0.4903926f * b3};
        __syncwarp();
#pragma unroll
        for (int i = 0; i < 8; i++) (pass ? tile[quad][i * 9 + l] : tile[quad][l * 9 + i]) = r[i];
        __syncwarp();
    }
#pragma unroll
    for (int i = 0; i < 8; i++) dst[(y0 + i) * stride + x0 + l] = tile[quad][i * 9 + l];
}
// Walsh transform of 4096 numbers in shared memory, radix four
KERNEL u_walsh(float *dst, const float *src)
{
    extern __shared__ float s[];
    const int n = 4096, base = blockIdx.x * n;
    for (int p = threadIdx.x; p < n; p += blockDim.x) s[p] = src[base + p];
    for (int stride = n >> 2; stride > 0; stride >>= 2) {
        __syncthreads();
        for (int p = threadIdx.x; p < n / 4; p += blockDim.x) {
            int lo = p & (stride - 1), i = ((p - lo) << 2) + lo;
            float a = s[i], b = s[i + stride], c = s[i + 2 * stride], d = s[i + 3 * stride], t = a;
            a = a + c; c = t - c; t = b; b = b + d; d = t - d;
            s[i] = a + b; s[i + stride] = a - b; s[i + 2 * stride] = c + d; s[i + 3 * stride] = c - d;
        }
    }
    __syncthreads();
    for (int p = threadIdx.x; p < n; p += blockDim.x) dst[base + p] = s[p];
}
// quasi-random numbers by direction vectors
KERNEL u_sobol(uint count, uint dimensions, const uint *directions, float *out)
{
    __shared__ uint v[32];
    directions += 32 * blockIdx.y; out += count * blockIdx.y;
    if (threadIdx.x < 32) v[threadIdx.x] = directions[threadIdx.x];
    __syncthreads();
    int i0 = threadIdx.x + blockIdx.x * blockDim.x, stride = gridDim.x * blockDim.x, power = __ffs(stride) - 1;
    uint g = i0 ^ (i0 >> 1), x = 0, mask;
    for (uint k = 0; k < 32; k++) { mask = -(g & 1); x ^= mask & v[k]; g >>= 1; }
    for (uint i = i0; i < count; i += stride) {
        out[i] = x * 2.3283064e-10f;
        if (power > 0) x ^= v[power - 1] ^ v[__ffs(~((i + stride - 1) | (stride - 1)) | 0x100000) - 1 & 31];
    }
}
// a twister of 19 words a thread
KERNEL u_twister(float *out, const uint *parameter, int n, uint seed)
{
    const int tid = blockDim.x * blockIdx.x + threadIdx.x;
    uint a = parameter[tid * 3], b = parameter[tid * 3 + 1], c = parameter[tid * 3 + 2], mt[19];
    mt[0] = seed;
    for (int i = 1; i < 19; i++) mt[i] = 1812433253u * (mt[i - 1] ^ (mt[i - 1] >> 30)) + i;
    int state = 0;
    uint one = mt[0];
    for (int k = 0; k < n; k++) {
        int s1 = state + 1, sm = state + 9;
        if (s1 >= 19) s1 -= 19;
        if (sm >= 19) sm -= 19;
        uint mi = one;
        one = mt[s1];
        uint x = (mi & 0xfffffffeu) | (one & 1u), y = mt[sm] ^ (x >> 1) ^ (x & 1 ? a : 0);
        mt[state] = y;
        state = s1;
        y ^= y >> 12; y ^= (y << 7) & b; y ^= (y << 15) & c; y ^= y >> 18;
        out[tid + gridDim.x * blockDim.x * k] = (y + 1.0f) * 2.3283064e-10f;
    }
}
// price of an option on a binomial tree, a block for each, steps in registers and shared memory
KERNEL u_binomial(const float *spot, const float *strike, float *call, int steps)
{
    __shared__ float v[257];
    const float s = spot[blockIdx.x], x = strike[blockIdx.x], up = 0.5006f, down = 0.4993f;
    const int t = threadIdx.x;
    float own[8];
    for (int i = 0; i < 8; i++) own[i] = fmaxf(s * expf(0.01f * (2.0f * (t * 8 + i) - steps)) - x, 0.0f);
    float last = 0;
    for (int i = steps; i > 0; i--) {
        v[t] = own[0];
        __syncthreads();
        last = v[min(t + 1, 255)];
        __syncthreads();
        if (i > t * 8) {
#pragma unroll
            for (int j = 0; j < 7; j++) own[j] = up * own[j + 1] + down * own[j];
            own[7] = up * last + down * own[7];
        }
    }
    if (t == 0) call[blockIdx.x] = own[0];
}
// paths of prices: a block for each option, sums by shuffles
KERNEL u_paths(const float *normal, const float *spot, float *value, int paths)
{
    float s = spot[blockIdx.x], sum = 0, squares = 0;
    for (int i = threadIdx.x; i < paths; i += blockDim.x) {
        float v = fmaxf(s * __expf(0.02f + 0.3f * normal[i]) - 1.0f, 0.0f);
        sum += v; squares += v * v;
    }
    for (int o = 16; o > 0; o >>= 1) { sum += __shfl_xor_sync(~0u, sum, o); squares += __shfl_xor_sync(~0u, squares, o); }
    __shared__ float a[32], b[32];
    if (threadIdx.x % 32 == 0) { a[threadIdx.x / 32] = sum; b[threadIdx.x / 32] = squares; }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x / 32; k++) { sum += a[k]; squares += b[k]; }
        value[2 * blockIdx.x] = sum; value[2 * blockIdx.x + 1] = squares;
    }
}
// neighbours weighted by distance and by colour
KERNEL u_bilateral(const uchar4 *in, uchar4 *out, int w, int h, int r, float e)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    uchar4 c = in[y * w + x];
    float sum = 0, tr = 0, tg = 0, tb = 0;
    for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
            int px = min(max(x + j, 0), w - 1), py = min(max(y + i, 0), h - 1);
            uchar4 p = in[py * w + px];
            float dr = p.x - c.x, dg = p.y - c.y, db = p.z - c.z;
            float f = __expf(-(i * i + j * j) * 0.1f) * __expf(-(dr * dr + dg * dg + db * db) * e);
            sum += f; tr += f * p.x; tg += f * p.y; tb += f * p.z;
        }
    out[y * w + x] = make_uchar4(tr / sum, tg / sum, tb / sum, 0);
}
// entropy of the values in a window, counted in local arrays of bytes
KERNEL u_entropy(const unsigned char *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned char count[16];
    for (int i = 0; i < 16; i++) count[i] = 0;
    int total = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int xx = x + dx, yy = y + dy;
            if (xx >= 0 && yy >= 0 && xx < w && yy < h) { count[in[yy * w + xx] & 15]++; total++; }
        }
    float e = 0;
    for (int k = 0; k < 16; k++) if (count[k]) { float p = (float)count[k] / total; e -= p * __log2f(p); }
    if (x < w && y < h) out[y * w + x] = e;
}
// rounds of a cipher with four tables in shared memory
KERNEL u_cipher(const uint4 *in, uint4 *out, const uint *tables, const uint *keys, int n)
{
    __shared__ uint t[4][256], k[44];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) t[i >> 8][i & 255] = tables[i];
    if (threadIdx.x < 44) k[threadIdx.x] = keys[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 s = in[i];
        s.x ^= k[0]; s.y ^= k[1]; s.z ^= k[2]; s.w ^= k[3];
#pragma unroll 2
        for (int r = 1; r < 10; r++) {
            uint4 u;
            u.x = t[0][s.x & 255] ^ t[1][s.y >> 8 & 255] ^ t[2][s.z >> 16 & 255] ^ t[3][s.w >> 24] ^ k[4 * r];
            u.y = t[0][s.y & 255] ^ t[1][s.z >> 8 & 255] ^ t[2][s.w >> 16 & 255] ^ t[3][s.x >> 24] ^ k[4 * r + 1];
            u.z = t[0][s.z & 255] ^ t[1][s.w >> 8 & 255] ^ t[2][s.x >> 16 & 255] ^ t[3][s.y >> 24] ^ k[4 * r + 2];
            u.w = t[0][s.w & 255] ^ t[1][s.x >> 8 & 255] ^ t[2][s.y >> 16 & 255] ^ t[3][s.z >> 24] ^ k[4 * r + 3];
            s = u;
        }
        out[i] = s;
    }
}
// great circles between pairs of places, in double precision
KERNEL u_circles(const double4 *pair, double *distance, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double ay = pair[i].x * 0.01745, ax = pair[i].y * 0.01745, by = pair[i].z * 0.01745, bx = pair[i].w * 0.01745;
    double dy = (by - ay) / 2, dx = (bx - ax) / 2, s = sin(dy) * sin(dy) + cos(ay) * cos(by) * sin(dx) * sin(dx);
    distance[i] = 6371.0 * 2.0 * atan2(sqrt(s), sqrt(1 - s));
}
// cross sections: a search in one grid of energies, then an interpolation for each nuclide
KERNEL u_sections(int lookups, const double *grid, int points, const int *index, const double *table, int nuclides, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups) return;
    unsigned long long s = i * 0x9e3779b97f4a7c15ull;
    s = (s ^ s >> 30) * 0xbf58476d1ce4e5b9ull;
    s = (s ^ s >> 27) * 0x94d049bb133111ebull;
    double e = (double)(s >> 11) / 9007199254740992.0 * points;
    int low = 0, high = points;
    while (high - low > 1) { int mid = low + (high - low) / 2; if (grid[mid] > e) high = mid; else low = mid; }
    double sum = 0;
    for (int k = 0; k < nuclides; k++) {
        int at = index[low * nuclides + k] + k * 1024;
        double f = e - low;
        sum += table[2 * at] * (1 - f) + table[2 * at + 1] * f;
    }
    out[i] = sum;
}
// dot products of many short vectors: a block for several of them
KERNEL u_dots(float *c, const float *a, const float *b, int vectors, int n)
{
    __shared__ float acc[1024];
    for (int vec = blockIdx.x; vec < vectors; vec += gridDim.x) {
        int base = n * vec;
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
            float sum = 0;
            for (int pos = base + i; pos < base + n; pos += 1024) sum += a[pos] * b[pos];
            acc[i] = sum;
        }
        for (int stride = 512; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int i = threadIdx.x; i < stride; i += blockDim.x) acc[i] += acc[stride + i];
        }
        __syncthreads();
        if (threadIdx.x == 0) c[vec] = acc[0];
    }
}
// ranks of samples in sorted pieces, by bisection
KERNEL u_ranks(const uint *key, uint *rank, int n, int piece)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 64) return;
    int mine = i * 64 / piece, other = mine ^ 1;
    uint want = key[i * 64];
    int low = other * piece, high = low + piece;
    while (low < high) { int mid = (low + high) >> 1; if (key[mid] < want) low = mid + 1; else high = mid; }
    rank[i] = low - other * piece;
}
// similarity of the neighbourhoods at both ends of an edge
KERNEL u_jaccard(int edges, const int *source, const int *target, const int *begin, const int *list, float *weight)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int u = source[e], v = target[e], i = begin[u], j = begin[v], iend = begin[u + 1], jend = begin[v + 1], both = 0;
    int all = iend - i + jend - j;
    while (i < iend && j < jend) { int a = list[i], b = list[j]; both += a == b; i += a <= b; j += b <= a; }
    weight[e] = all ? (float)both / (all - both) : 0;
}
