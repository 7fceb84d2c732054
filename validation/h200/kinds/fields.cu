// Pictures, rays, grids, particles and layers of networks.
#include <cuda_fp16.h>
#define KERNEL extern "C" __global__ void
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu
typedef unsigned U;
typedef unsigned char B;

__constant__ float4 scene[32] = {{0, 0, 5, 1}, {1, 0, 6, 1}, {-1, 1, 4, 0.5f}, {0, -2, 7, 2}};
KERNEL k_trace_spheres(int w, int h, int spheres, int bounces, float4* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float ox = 0, oy = 0, oz = 0, dx = (x - 0.5f * w) / w, dy = (y - 0.5f * h) / w, dz = 1, n = rsqrtf(dx * dx + dy * dy + dz * dz), light = 0;
    dx *= n, dy *= n, dz *= n;
    for (int b = 0; b < bounces; b++) {
        float best = 1e20f;
        int hit = -1;
        for (int k = 0; k < spheres; k++) {
            float4 s = scene[k];
            float px = s.x - ox, py = s.y - oy, pz = s.z - oz, a = px * dx + py * dy + pz * dz, d = s.w * s.w - (px * px + py * py + pz * pz - a * a);
            if (d > 0) {
                float t = a - sqrtf(d);
                if (t > 1e-3f && t < best) best = t, hit = k;
            }
        }
        if (hit < 0) {
            light += 0.5f + 0.5f * dy;
            break;
        }
        float4 s = scene[hit];
        ox += best * dx, oy += best * dy, oz += best * dz;
        float nx = (ox - s.x) / s.w, ny = (oy - s.y) / s.w, nz = (oz - s.z) / s.w, c = 2 * (nx * dx + ny * dy + nz * dz);
        dx -= c * nx, dy -= c * ny, dz -= c * nz;
        light += 0.1f;
    }
    out[y * w + x] = make_float4(light, light, light, 1);
}
KERNEL k_march_distance(int w, int h, int most, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float dx = (x - 0.5f * w) / w, dy = (y - 0.5f * h) / w, t = 0;
    int k = 0;
    for (; k < most; k++) {
        float px = dx * t, py = dy * t, pz = t - 4;
        float ring = sqrtf(px * px + pz * pz) - 1.2f, torus = sqrtf(ring * ring + py * py) - 0.4f;
        float d = fminf(torus, py + 1.5f);
        if (d < 1e-3f || t > 20) break;
        t += d;
    }
    out[y * w + x] = t + k;
}
KERNEL k_volume_steps(int w, int h, int side, const float* volume, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float alpha = 0, sum = 0;
    for (int z = 0; z < side && alpha < 0.95f; z++) {
        float fx = (x + 0.5f) * (side - 2) / w, fy = (y + 0.5f) * (side - 2) / h;
        int ix = fx, iy = fy;
        const float* p = volume + ((size_t)z * side + iy) * side + ix;
        float a = fx - ix, b = fy - iy, v = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[side] + a * p[side + 1]);
        float o = 0.05f * v;
        sum += (1 - alpha) * o * v;
        alpha += (1 - alpha) * o;
    }
    out[y * w + x] = sum;
}
KERNEL k_rasterise(int triangles, int w, int h, const float* xy, U* depth)
{
    int i = AT;
    if (i >= triangles) return;
    const float* p = xy + 6 * i;
    float x0 = p[0], y0 = p[1], x1 = p[2], y1 = p[3], x2 = p[4], y2 = p[5];
    int left = max(0, (int)fminf(x0, fminf(x1, x2))), right = min(w - 1, (int)fmaxf(x0, fmaxf(x1, x2)));
    int low = max(0, (int)fminf(y0, fminf(y1, y2))), high = min(h - 1, (int)fmaxf(y0, fmaxf(y1, y2)));
    for (int y = low; y <= high; y++)
        for (int x = left; x <= right; x++) {
            float a = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0), b = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1), c = (x0 - x2) * (y - y2) - (y0 - y2) * (x - x2);
            if (a >= 0 == b >= 0 && b >= 0 == c >= 0) atomicMin(&depth[y * w + x], i);
        }
}
KERNEL k_resize(int w, int h, int from_w, int from_h, const uchar4* in, uchar4* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float fx = (x + 0.5f) * from_w / w - 0.5f, fy = (y + 0.5f) * from_h / h - 0.5f;
    int ix = max(0, (int)fx), iy = max(0, (int)fy), jx = min(from_w - 1, ix + 1), jy = min(from_h - 1, iy + 1);
    float a = fx - ix, b = fy - iy;
    uchar4 p = in[iy * from_w + ix], q = in[iy * from_w + jx], r = in[jy * from_w + ix], s = in[jy * from_w + jx];
#define MIX(c) (B)((1 - b) * ((1 - a) * p.c + a * q.c) + b * ((1 - a) * r.c + a * s.c))
    out[y * w + x] = make_uchar4(MIX(x), MIX(y), MIX(z), 255);
}
KERNEL k_median_9(int w, int h, const B* in, B* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int v[9];
#pragma unroll
    for (int k = 0; k < 9; k++) v[k] = in[(y + k / 3 - 1) * w + x + k % 3 - 1];
#pragma unroll
    for (int p = 0; p < 5; p++)
#pragma unroll
        for (int q = p + 1; q < 9; q++) {
            int a = min(v[p], v[q]), b = max(v[p], v[q]);
            v[p] = a, v[q] = b;
        }
    out[y * w + x] = v[4];
}
KERNEL k_yuv(int n, const B* rgb, B* y, B* u, B* v)
{
    int i = AT;
    if (i >= n) return;
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    y[i] = (66 * r + 129 * g + 25 * b + 128 >> 8) + 16;
    u[i] = (-38 * r - 74 * g + 112 * b + 128 >> 8) + 128;
    v[i] = (112 * r - 94 * g - 18 * b + 128 >> 8) + 128;
}
KERNEL k_hough(int w, int h, int angles, const B* edge, int* votes)
{
    int x = AT, y = blockIdx.y;
    if (x >= w || edge[y * w + x] < 240) return;
    for (int k = 0; k < angles; k++) {
        float s, c;
        __sincosf(k * 3.14159265f / angles, &s, &c);
        int r = (int)(x * c + y * s) + w + h >> 1;
        atomicAdd(&votes[k * (w + h) + r], 1);
    }
}
KERNEL k_suppress(int w, int h, const float* gx, const float* gy, B* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int i = y * w + x;
    float a = gx[i], b = gy[i], m = a * a + b * b;
    int d = fabsf(a) > 2 * fabsf(b) ? 1 : fabsf(b) > 2 * fabsf(a) ? w : a * b > 0 ? w + 1 : w - 1;
    float p = gx[i + d] * gx[i + d] + gy[i + d] * gy[i + d], q = gx[i - d] * gx[i - d] + gy[i - d] * gy[i - d];
    out[i] = m > p && m >= q ? 255 : 0;
}
KERNEL k_distance_rows(int w, int h, const B* in, int* out)
{
    int y = AT;
    if (y >= h) return;
    int d = w;
    for (int x = 0; x < w; x++) out[y * w + x] = d = in[y * w + x] ? 0 : d + 1;
    for (int x = w - 2; x >= 0; x--) out[y * w + x] = d = min(out[y * w + x], out[y * w + x + 1] + 1);
}
KERNEL k_seam_row(int w, const float* energy, const float* before, float* after)
{
    int x = AT;
    if (x >= w) return;
    after[x] = energy[x] + fminf(before[x], fminf(before[max(0, x - 1)], before[min(w - 1, x + 1)]));
}
KERNEL k_roots_label(int n, const int* parent, int* out)
{
    int i = AT;
    if (i >= n) return;
    int r = i;
    while (parent[r] != r) r = parent[r];
    out[i] = r;
}
KERNEL k_lattice_9(int w, int h, float omega, const float* in, float* out)
{
    int x = AT, y = blockIdx.y;
    if (x >= w) return;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float f[9], r = 0, u = 0, v = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int sx = (x - cx[k] + w) % w, sy = (y - cy[k] + h) % h;
        f[k] = in[(k * h + sy) * w + sx];
        r += f[k], u += cx[k] * f[k], v += cy[k] * f[k];
    }
    u /= r, v /= r;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float weight = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36, c = 3 * (cx[k] * u + cy[k] * v);
        out[(k * h + y) * w + x] = f[k] + omega * (weight * r * (1 + c + 0.5f * c * c - 1.5f * (u * u + v * v)) - f[k]);
    }
}
KERNEL k_advect(int n, float dt, const float* u, const float* v, const float* q, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float px = fminf(fmaxf(x - dt * u[y * n + x], 0.f), n - 1.01f), py = fminf(fmaxf(y - dt * v[y * n + x], 0.f), n - 1.01f);
    int i = px, j = py;
    float a = px - i, b = py - j;
    const float* p = q + j * n + i;
    out[y * n + x] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[n] + a * p[n + 1]);
}
KERNEL k_maxwell(int n, const float* hx, const float* hy, const float* hz, float* ex, float* ey, float* ez)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n || y >= n || z >= n) return;
    int i = (z * n + y) * n + x;
    ex[i] += 0.5f * (hz[i] - hz[i - n] - hy[i] + hy[i - n * n]);
    ey[i] += 0.5f * (hx[i] - hx[i - n * n] - hz[i] + hz[i - 1]);
    ez[i] += 0.5f * (hy[i] - hy[i - 1] - hx[i] + hx[i - n]);
}
KERNEL k_acoustic_8(int n, const float* p, const float* before, const float* speed, float* after)
{
    int x = AT + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4;
    if (x >= n - 4 || y >= n - 4) return;
    const float c[5] = {-2.84722f, 1.6f, -0.2f, 0.025397f, -0.001786f};
    for (int z = 4; z < n - 4; z++) {
        size_t i = ((size_t)z * n + y) * n + x;
        float s = 3 * c[0] * p[i];
#pragma unroll
        for (int k = 1; k < 5; k++) s += c[k] * (p[i - k] + p[i + k] + p[i - k * n] + p[i + k * n] + p[i - (size_t)k * n * n] + p[i + (size_t)k * n * n]);
        after[i] = 2 * p[i] - before[i] + speed[i] * s;
    }
}
KERNEL k_block_3d(int n, const float* in, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}
// one block relaxes its own field until it changes no more
KERNEL k_relax_until(int most, float small, const float* in, float* out)
{
    __shared__ float a[34][34];
    __shared__ int going;
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    a[y][x] = in[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x];
    if (x == 1) a[y][0] = a[y][33] = 0;
    if (y == 1) a[0][x] = a[33][x] = 1;
    int k = 0;
    do {
        __syncthreads();
        float v = 0.25f * (a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x]), d = fabsf(v - a[y][x]);
        going = 0;
        __syncthreads();
        a[y][x] = v;
        if (d > small) going = 1;
        __syncthreads();
    } while (going && ++k < most);
    out[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x] = a[y][x];
}
KERNEL k_neighbour_forces(int atoms, int most, float cut, const float4* place, const int* count, const int* list, float4* force)
{
    int i = AT;
    if (i >= atoms) return;
    float4 p = place[i];
    float fx = 0, fy = 0, fz = 0;
    for (int k = 0; k < count[i]; k++) {
        float4 q = place[list[k * atoms + i]];
        float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, r = x * x + y * y + z * z;
        if (r < cut && r > 0) {
            float s = 1 / r, s6 = s * s * s, f = s * s6 * (48 * s6 - 24);
            fx += x * f, fy += y * f, fz += z * f;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0);
}
KERNEL k_bodies_double(int n, const double4_32a* body, double4_32a* out)
{
    __shared__ double4_32a s[128];
    int i = AT;
    double4_32a p = body[i];
    double x = 0, y = 0, z = 0;
    for (int first = 0; first < n; first += 128) {
        s[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            double dx = s[k].x - p.x, dy = s[k].y - p.y, dz = s[k].z - p.z, r = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3), f = s[k].w * r * r * r;
            x += dx * f, y += dy * f, z += dz * f;
        }
        __syncthreads();
    }
    out[i].x = x, out[i].y = y, out[i].z = z;
}
KERNEL k_ewald(int vectors, int charges, const float4* place, const float4* wave, float2* out)
{
    int k = AT;
    if (k >= vectors) return;
    float4 w = wave[k];
    float re = 0, im = 0;
    for (int i = 0; i < charges; i++) {
        float4 p = place[i];
        float s, c;
        sincosf(w.x * p.x + w.y * p.y + w.z * p.z, &s, &c);
        re += p.w * c, im += p.w * s;
    }
    out[k] = make_float2(re, im);
}
KERNEL k_pair_counts(int n, const float* x, const float* y, const float* z, int* bins)
{
    __shared__ int own[64];
    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();
    int i = AT;
    for (int j = i + 1; j < n; j++) {
        float a = x[i] - x[j], b = y[i] - y[j], c = z[i] - z[j];
        int k = 63.f * sqrtf((a * a + b * b + c * c) * 0.3333f);
        atomicAdd(&own[min(63, k)], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// layers of networks
KERNEL k_layer_norm(int width, const float* x, const float* weight, const float* bias, float* out)
{
    __shared__ float part[2][32];
    const float* row = x + (size_t)blockIdx.x * width;
    float s = 0, q = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) s += row[k], q += row[k] * row[k];
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o), q += __shfl_xor_sync(ALL, q, o);
    if (threadIdx.x % 32 == 0) part[0][threadIdx.x / 32] = s, part[1][threadIdx.x / 32] = q;
    __syncthreads();
    s = q = 0;
    for (int w = 0; w < blockDim.x / 32; w++) s += part[0][w], q += part[1][w];
    float mean = s / width, scale = rsqrtf(q / width - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < width; k += blockDim.x) out[(size_t)blockIdx.x * width + k] = (row[k] - mean) * scale * weight[k] + bias[k];
}
KERNEL k_rms_half(int width, const half2* x, const half2* weight, half2* out)
{
    const half2* row = x + (size_t)blockIdx.x * width;
    float s = 0;
    for (int k = threadIdx.x; k < width; k += 32) {
        float2 v = __half22float2(row[k]);
        s += v.x * v.x + v.y * v.y;
    }
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o);
    half2 scale = __float2half2_rn(rsqrtf(s / (2 * width) + 1e-5f));
    for (int k = threadIdx.x; k < width; k += 32) out[(size_t)blockIdx.x * width + k] = __hmul2(__hmul2(row[k], scale), weight[k]);
}
KERNEL k_softmax_vocabulary(int width, const float* x, float* out)
{
    __shared__ float part[32];
    const float* row = x + (size_t)blockIdx.x * width;
    float m = -1e30f, s = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) m = fmaxf(m, row[k]);
    for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(ALL, m, o));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
    __syncthreads();
    for (int w = 0; w < blockDim.x / 32; w++) m = fmaxf(m, part[w]);
    __syncthreads();
    for (int k = threadIdx.x; k < width; k += blockDim.x) s += __expf(row[k] - m);
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    s = 0;
    for (int w = 0; w < blockDim.x / 32; w++) s += part[w];
    for (int k = threadIdx.x; k < width; k += blockDim.x) out[(size_t)blockIdx.x * width + k] = __expf(row[k] - m) / s;
}
KERNEL k_gelu(int n, const float4* x, float4* out)
{
    int i = AT;
    if (i >= n) return;
    float4 v = x[i];
#define G(a) (0.5f * a * (1 + tanhf(0.79788456f * (a + 0.044715f * a * a * a))))
    out[i] = make_float4(G(v.x), G(v.y), G(v.z), G(v.w));
}
KERNEL k_swiglu(int n, const half2* gate, const half2* up, half2* out)
{
    int i = AT;
    if (i >= n) return;
    float2 g = __half22float2(gate[i]), u = __half22float2(up[i]);
    out[i] = __floats2half2_rn(g.x / (1 + __expf(-g.x)) * u.x, g.y / (1 + __expf(-g.y)) * u.y);
}
KERNEL k_rotate_heads(int tokens, int heads, int width, float2* q)
{
    int t = blockIdx.x, h = blockIdx.y, k = threadIdx.x;
    float s, c;
    sincosf(t * powf(10000.f, -2.f * k / (2 * width)), &s, &c);
    float2 v = q[((size_t)t * heads + h) * width + k];
    q[((size_t)t * heads + h) * width + k] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}
// one thread for each query, head and batch, as in reference code
KERNEL k_attention_scores(int batch, int tokens, int heads, int width, const float* qkv, float* scores)
{
    int i = AT;
    if (i >= batch * heads * tokens * tokens) return;
    int t2 = i % tokens, t = i / tokens % tokens, h = i / (tokens * tokens) % heads, b = i / (heads * tokens * tokens);
    if (t2 > t) {
        scores[i] = -1e30f;
        return;
    }
    int row = 3 * heads * width;
    const float *q = qkv + (size_t)(b * tokens + t) * row + h * width, *k = qkv + (size_t)(b * tokens + t2) * row + (heads + h) * width;
    float s = 0;
    for (int d = 0; d < width; d++) s += q[d] * k[d];
    scores[i] = s * rsqrtf(width);
}
KERNEL k_decode_heads(int length, const half2* q, const half2* keys, const half2* values, float2* out)
{
    extern __shared__ float p[];
    int head = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __shared__ float top[8], total[8];
    float2 mine[2] = {__half22float2(q[head * 64 + lane]), __half22float2(q[head * 64 + 32 + lane])};
    float m = -1e30f, sum = 0;
    for (int t = warp; t < length; t += 8) {
        const half2* k = keys + ((size_t)head * length + t) * 64;
        float2 a = __half22float2(k[lane]), b = __half22float2(k[32 + lane]);
        float s = a.x * mine[0].x + a.y * mine[0].y + b.x * mine[1].x + b.y * mine[1].y;
        for (int o = 16; o; o /= 2) s += __shfl_xor_sync(ALL, s, o);
        if (lane == 0) p[t] = s;
        m = fmaxf(m, s);
    }
    if (lane == 0) top[warp] = m;
    __syncthreads();
    for (int w = 0; w < 8; w++) m = fmaxf(m, top[w]);
    for (int t = threadIdx.x; t < length; t += 256) sum += p[t] = __expf(p[t] - m);
    for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(ALL, sum, o);
    if (lane == 0) total[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++) sum += total[w];
    int d = threadIdx.x % 64;
    float2 acc = make_float2(0, 0);
    for (int t = threadIdx.x / 64; t < length; t += 4) {
        float2 v = __half22float2(values[((size_t)head * length + t) * 64 + d]);
        acc.x += p[t] * v.x, acc.y += p[t] * v.y;
    }
    atomicAdd(&out[head * 64 + d].x, acc.x / sum), atomicAdd(&out[head * 64 + d].y, acc.y / sum);
}
KERNEL k_cross_entropy(int rows, int width, const float* p, const int* target, float* loss)
{
    int r = AT;
    if (r < rows) loss[r] = -logf(p[(size_t)r * width + target[r]]);
}
KERNEL k_adam(int n, float rate, float b1, float b2, float c1, float c2, float* w, const float* g, float* m, float* v)
{
    int i = AT;
    if (i >= n) return;
    float a = b1 * m[i] + (1 - b1) * g[i], b = b2 * v[i] + (1 - b2) * g[i] * g[i];
    m[i] = a, v[i] = b;
    w[i] -= rate * (a / c1 / (sqrtf(b / c2) + 1e-8f) + 0.01f * w[i]);
}
KERNEL k_embedding_backward(int tokens, int width, const int* token, const float* grad, float* table)
{
    int i = AT;
    if (i >= tokens * width) return;
    atomicAdd(&table[(size_t)token[i / width] * width + i % width], grad[i]);
}
KERNEL k_bias_columns(int rows, int width, const float* grad, float* bias)
{
    int c = AT;
    if (c >= width) return;
    float s = 0;
    for (int r = 0; r < rows; r++) s += grad[(size_t)r * width + c];
    bias[c] += s;
}
KERNEL k_dropout(int n, U seed, float keep, const float4* x, float4* out)
{
    int i = AT;
    if (i >= n) return;
    U c0 = i, c1 = 0, c2 = 7, c3 = 0, k0 = seed, k1 = seed ^ 0xbb67ae85u;
#pragma unroll
    for (int r = 0; r < 10; r++) {
        U h0 = __umulhi(0xd2511f53u, c0), l0 = 0xd2511f53u * c0, h1 = __umulhi(0xcd9e8d57u, c2), l1 = 0xcd9e8d57u * c2;
        c0 = h1 ^ c1 ^ k0, c1 = l1, c2 = h0 ^ c3 ^ k1, c3 = l0;
        k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
    }
    float4 v = x[i];
    const float f = 2.3283064e-10f, s = 1 / keep;
    out[i] = make_float4(c0 * f < keep ? v.x * s : 0, c1 * f < keep ? v.y * s : 0, c2 * f < keep ? v.z * s : 0, c3 * f < keep ? v.w * s : 0);
}
KERNEL k_bytes_gemv(int width, const int* weights, const int* x, const float* scale, float* out)
{
    int r = AT / 32, lane = threadIdx.x & 31, s = 0;
    for (int k = lane; k < width; k += 32) s = __dp4a(weights[(size_t)r * width + k], x[k], s);
    s = __reduce_add_sync(ALL, s);
    if (lane == 0) out[r] = s * scale[r];
}
KERNEL k_nibbles_gemv(int width, const U* weights, const half* scales, const float* x, float* out)
{
    int r = AT / 32, lane = threadIdx.x & 31;
    float s = 0;
    for (int k = lane; k < width / 8; k += 32) {
        U w = weights[(size_t)r * (width / 8) + k];
        float scale = __half2float(scales[(size_t)r * (width / 32) + k / 4]), part = 0;
#pragma unroll
        for (int b = 0; b < 8; b++) part += ((int)(w >> 4 * b & 15) - 8) * x[8 * k + b];
        s += scale * part;
    }
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(ALL, s, o);
    if (lane == 0) out[r] = s;
}
KERNEL k_convolve_plain(int channels, int outputs, int side, const float* in, const float* weights, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
    if (x >= side || y >= side) return;
    float s = 0;
    for (int c = 0; c < channels; c++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int u = x + dx, v = y + dy;
                if (u >= 0 && v >= 0 && u < side && v < side) s += in[(c * side + v) * side + u] * weights[(o * channels + c) * 9 + dy * 3 + dx + 4];
            }
    out[(o * side + y) * side + x] = fmaxf(0.f, s);
}
KERNEL k_depthwise(int side, const float* in, const float* weights, float* out)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= side || y >= side) return;
    float s = 0;
    for (int k = 0; k < 25; k++) {
        int u = x + k % 5 - 2, v = y + k / 5 - 2;
        if (u >= 0 && v >= 0 && u < side && v < side) s += in[(c * side + v) * side + u] * weights[c * 25 + k];
    }
    out[(c * side + y) * side + x] = s;
}
KERNEL k_pool(int n, int side, const float* in, float* out, int* where)
{
    int i = AT;
    if (i >= n) return;
    int w = side / 2, x = i % w, y = i / w % w, c = i / (w * w), at = -1;
    float m = -1e30f;
    for (int k = 0; k < 4; k++) {
        int j = (c * side + 2 * y + k / 2) * side + 2 * x + k % 2;
        if (in[j] > m) m = in[j], at = j;
    }
    out[i] = m, where[i] = at;
}
KERNEL k_unfold(int channels, int side, const float* in, float* out)
{
    int i = AT;
    if (i >= channels * side * side) return;
    int x = i % side, y = i / side % side, c = i / (side * side);
    for (int k = 0; k < 9; k++) {
        int u = x + k % 3 - 1, v = y + k / 3 - 1;
        out[((size_t)(c * 9 + k) * side + y) * side + x] = u >= 0 && v >= 0 && u < side && v < side ? in[(c * side + v) * side + u] : 0;
    }
}
KERNEL k_lstm_gates(int n, const float* gates, float* cell, float* hidden)
{
    int i = AT;
    if (i >= n) return;
    float a = 1 / (1 + __expf(-gates[i])), f = 1 / (1 + __expf(-gates[n + i])), g = tanhf(gates[2 * n + i]), o = 1 / (1 + __expf(-gates[3 * n + i]));
    float c = f * cell[i] + a * g;
    cell[i] = c;
    hidden[i] = o * tanhf(c);
}
KERNEL k_paged_copy(int tokens, int page, int width, const int* pages, const float4* cache, float4* out)
{
    int t = blockIdx.x;
    const float4* from = cache + ((size_t)pages[t / page] * page + t % page) * width;
    for (int k = threadIdx.x; k < width; k += blockDim.x) out[(size_t)t * width + k] = from[k];
}
KERNEL k_overlap_mask(int boxes, const float4* box, unsigned long long* mask)
{
    __shared__ float4 other[64];
    int first = blockIdx.y * 64, i = blockIdx.x * 64 + threadIdx.x;
    other[threadIdx.x] = box[first + threadIdx.x];
    __syncthreads();
    float4 a = box[i];
    unsigned long long bits = 0;
    for (int k = 0; k < 64; k++) {
        float4 b = other[k];
        float w = fminf(a.z, b.z) - fmaxf(a.x, b.x), h = fminf(a.w, b.w) - fmaxf(a.y, b.y), o = fmaxf(w, 0.f) * fmaxf(h, 0.f);
        if (o > 0.5f * ((a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - o)) bits |= 1ull << k;
    }
    mask[(size_t)i * gridDim.y + blockIdx.y] = bits;
}
KERNEL k_sample_grid(int n, int side, int channels, const float2* grid, const float* in, float* out)
{
    int i = AT;
    if (i >= n) return;
    float2 g = grid[i];
    float x = (g.x - 0.5f) * (side - 1.01f), y = (g.y - 0.5f) * (side - 1.01f);
    int ix = x, iy = y;
    float a = x - ix, b = y - iy;
    for (int c = 0; c < channels; c++) {
        const float* p = in + (c * side + iy) * side + ix;
        out[c * n + i] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[side] + a * p[side + 1]);
    }
}
KERNEL k_arg_max(int width, const float* x, int* out)
{
    __shared__ float best_value[32];
    __shared__ int best_place[32];
    float v = -1e30f;
    int at = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) {
        float y = x[(size_t)blockIdx.x * width + k];
        if (y > v) v = y, at = k;
    }
    for (int o = 16; o; o /= 2) {
        float w = __shfl_down_sync(ALL, v, o);
        int p = __shfl_down_sync(ALL, at, o);
        if (w > v) v = w, at = p;
    }
    if (threadIdx.x % 32 == 0) best_value[threadIdx.x / 32] = v, best_place[threadIdx.x / 32] = at;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++)
            if (best_value[w] > v) v = best_value[w], at = best_place[w];
        out[blockIdx.x] = at;
    }
}
