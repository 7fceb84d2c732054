// Pictures, rays, grids and particles.
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
