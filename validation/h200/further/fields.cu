// Stencils, particles, random numbers, rays and solvers as users write them.
#define KERNEL extern "C" __global__ void
typedef unsigned U;

// 25 points, four on either side of each axis; planes are marched through, the column in registers
__constant__ float star[5];
KERNEL v_star_25(int nx, int ny, int nz, const float* __restrict__ in, const float* __restrict__ before, float* __restrict__ out)
{
    __shared__ float s[16 + 8][32 + 8];
    int x = blockIdx.x * 32 + threadIdx.x + 4, y = blockIdx.y * 16 + threadIdx.y + 4, plane = nx * ny, at = y * nx + x;
    float behind[4], front[4], now;
    for (int k = 0; k < 4; k++) behind[3 - k] = in[at + k * plane];
    now = in[at + 4 * plane];
    for (int k = 0; k < 4; k++) front[k] = in[at + (5 + k) * plane];
    for (int z = 4; z < nz - 4; z++) {
        __syncthreads();
        int tx = threadIdx.x + 4, ty = threadIdx.y + 4, here = z * plane + at;
        s[ty][tx] = now;
        if (threadIdx.x < 4) s[ty][tx - 4] = in[here - 4], s[ty][tx + 32] = in[here + 32];
        if (threadIdx.y < 4) s[ty - 4][tx] = in[here - 4 * nx], s[ty + 16][tx] = in[here + 16 * nx];
        __syncthreads();
        float sum = star[0] * now;
#pragma unroll
        for (int k = 1; k <= 4; k++) sum += star[k] * (s[ty][tx - k] + s[ty][tx + k] + s[ty - k][tx] + s[ty + k][tx] + behind[k - 1] + front[k - 1]);
        out[here] = 2 * now - before[here] + sum;
        for (int k = 3; k > 0; k--) behind[k] = behind[k - 1];
        behind[0] = now;
        now = front[0];
        for (int k = 0; k < 3; k++) front[k] = front[k + 1];
        if (z + 5 < nz) front[3] = in[here + 5 * plane];
    }
}
// the same points, all from memory
KERNEL v_star_plain(int nx, int ny, int nz, const float* in, float* out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4, z = blockIdx.z + 4, plane = nx * ny;
    if (x >= nx - 4 || y >= ny - 4) return;
    const float* p = in + z * plane + y * nx + x;
    float s = -3.0f * p[0];
#pragma unroll
    for (int k = 1; k <= 4; k++) s += (0.5f / k) * (p[k] + p[-k] + p[k * nx] + p[-k * nx] + p[k * plane] + p[-k * plane]);
    out[z * plane + y * nx + x] = s;
}
// life on bytes, a tile with its border in shared memory; and 32 cells a word
KERNEL v_life_bytes(int wide, int high, const unsigned char* in, unsigned char* out)
{
    __shared__ unsigned char t[18][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int r = threadIdx.y; r < 18; r += 16)
        for (int c = threadIdx.x; c < 34; c += 32) {
            int u = (blockIdx.x * 32 + c - 1 + wide) % wide, v = (blockIdx.y * 16 + r - 1 + high) % high;
            t[r][c] = in[v * wide + u];
        }
    __syncthreads();
    int n = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) n += t[threadIdx.y + r][threadIdx.x + c];
    int me = t[threadIdx.y + 1][threadIdx.x + 1];
    out[y * wide + x] = n == 3 || (me && n == 4);
}
KERNEL v_life_bits(int words, int high, const U* in, U* out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= words || y >= high) return;
    U sum0 = 0, sum1 = 0, sum2 = 0, me = 0;
    for (int dy = -1; dy <= 1; dy++) {
        int v = (y + dy + high) % high;
        U mid = in[v * words + x], left = in[v * words + (x + words - 1) % words], right = in[v * words + (x + 1) % words];
        U l = mid << 1 | left >> 31, r = mid >> 1 | right << 31;
        U list[3] = {l, r, dy ? mid : 0u};
        for (int k = 0; k < 3; k++) {
            U c0 = sum0 & list[k];
            sum0 ^= list[k];
            U c1 = sum1 & c0;
            sum1 ^= c0;
            sum2 |= c1;
        }
        if (!dy) me = mid;
    }
    out[y * words + x] = ~sum2 & sum1 & (sum0 | me);
}
// spins on a checkerboard, one xorshift state a cell
KERNEL v_spins(int n, int colour, float beta, signed char* spin, U* seeds)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y, c = 2 * j + ((i + colour) & 1);
    if (c >= n) return;
    int up = (i + n - 1) % n, down = (i + 1) % n, left = (c + n - 1) % n, right = (c + 1) % n;
    int sum = spin[up * n + c] + spin[down * n + c] + spin[i * n + left] + spin[i * n + right], s = spin[i * n + c];
    U x = seeds[i * (n / 2) + j] + 88675123u;
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    seeds[i * (n / 2) + j] = x;
    if (x * 2.3283064e-10f < __expf(-2.0f * beta * s * sum)) spin[i * n + c] = -s;
}
// mean of an asset along its path: Box and Muller's normal numbers from xorshift
KERNEL v_asian(int steps, float drift, float vol, float strike, float* value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    U a = i * 747796405u + 2891336453u, b = i ^ 0x9e3779b9u;
    float s = 1.0f, sum = 0;
    for (int k = 0; k < steps; k += 2) {
        a ^= a << 13, a ^= a >> 17, a ^= a << 5;
        b ^= b << 13, b ^= b >> 17, b ^= b << 5;
        float u = (a >> 8) * 5.9604645e-8f + 3e-8f, v = b * 1.4629181e-9f, r = sqrtf(-2.0f * __logf(u)), sn, cs;
        __sincosf(v, &sn, &cs);
        s *= __expf(drift + vol * r * cs);
        sum += s;
        s *= __expf(drift + vol * r * sn);
        sum += s;
    }
    value[i] = fmaxf(sum / steps - strike, 0.0f);
}
// option prices in double precision with the library's error function
KERNEL v_prices_double(int n, double rate, double vol, const double* spot, const double* strike, const double* time, double* call)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = spot[i], k = strike[i], t = time[i], q = vol * sqrt(t), d = (log(s / k) + (rate + 0.5 * vol * vol) * t) / q;
    call[i] = s * normcdf(d) - k * exp(-rate * t) * normcdf(d - q);
}
// particles in a field: four corners are gathered, the particle moves
KERNEL v_push_particles(int n, int wide, float dt, const float2* field, float4* p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 q = p[i];
    U h = i * 2654435761u;
    float x = q.x * (h >> 20), y = q.y * (h >> 8 & 4095);
    int u = (int)x & wide - 1, v = (int)y & wide - 1;
    float f = x - floorf(x), g = y - floorf(y);
    float2 a = field[v * wide + u], b = field[v * wide + (u + 1 & wide - 1)], c = field[(v + 1 & wide - 1) * wide + u], d = field[(v + 1 & wide - 1) * wide + (u + 1 & wide - 1)];
    q.z += dt * ((1 - g) * ((1 - f) * a.x + f * b.x) + g * ((1 - f) * c.x + f * d.x));
    q.w += dt * ((1 - g) * ((1 - f) * a.y + f * b.y) + g * ((1 - f) * c.y + f * d.y));
    q.x += dt * q.z;
    q.y += dt * q.w;
    p[i] = q;
}
// charges of particles that are nearly sorted, added to the grid's corners
KERNEL v_deposit(int n, int wide, const int* cell, const float2* offset, float* charge)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = cell[i];
    float2 o = offset[i];
    atomicAdd(&charge[c], (1 - o.x) * (1 - o.y));
    atomicAdd(&charge[c + 1], o.x * (1 - o.y));
    atomicAdd(&charge[c + wide], (1 - o.x) * o.y);
    atomicAdd(&charge[c + wide + 1], o.x * o.y);
}
// densities from the particles of 27 cells
KERNEL v_density(int side, const int* start, const float4* p, float* rho)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, cell = i / 8;
    int cx = cell % side, cy = cell / side % side, cz = cell / side / side;
    if (cz >= side) return;
    float4 me = p[i];
    float sum = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int x = cx + dx, y = cy + dy, z = cz + dz;
                if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) continue;
                int c = (z * side + y) * side + x;
                for (int j = start[c]; j < start[c + 1]; j++) {
                    float4 q = p[j];
                    float ax = q.x - me.x, ay = q.y - me.y, az = q.z - me.z, h = 1.0f - (ax * ax + ay * ay + az * az);
                    if (h > 0) sum += q.w * h * h * h;
                }
            }
    rho[i] = sum;
}
// spheres in constant memory: the nearest that a ray meets
__constant__ float4 spheres[256];
KERNEL v_spheres(int n, int wide, int high, float4* image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float dx = (x - wide / 2) * 0.001f, dy = (y - high / 2) * 0.001f, norm = rsqrtf(dx * dx + dy * dy + 1), dz = norm, best = 1e20f;
    dx *= norm;
    dy *= norm;
    int hit = -1;
    for (int k = 0; k < n; k++) {
        float4 s = spheres[k];
        float b = s.x * dx + s.y * dy + (s.z + 4.0f) * dz, c = s.x * s.x + s.y * s.y + (s.z + 4.0f) * (s.z + 4.0f) - s.w * s.w - 15.0f, e = b * b - c;
        if (e > 0) {
            float t = b - sqrtf(e);
            if (t > 0 && t < best) best = t, hit = k;
        }
    }
    image[y * wide + x] = make_float4(best, hit, dx, dy);
}
// a scanner's samples in constant memory, 2048 at a time
__constant__ float4 samples[2048];
KERNEL v_samples(int n, const float* x, const float* y, const float* z, float2* q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i], b = y[i], c = z[i];
    float2 s = q[i];
    for (int k = 0; k < n; k++) {
        float arg = 6.2831853f * (samples[k].x * a + samples[k].y * b + samples[k].z * c), sn, cs;
        __sincosf(arg, &sn, &cs);
        s.x += samples[k].w * cs;
        s.y += samples[k].w * sn;
    }
    q[i] = s;
}
// tridiagonal systems, one thread each: side by side, and by cyclic reduction in a block
KERNEL v_thomas(int systems, int n, const float* a, const float* b, const float* c, float* d, float* work)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= systems) return;
    float w = c[i] / (b[i] + 3.0f), v = d[i] / (b[i] + 3.0f);
    work[i] = w;
    d[i] = v;
    for (int k = 1; k < n; k++) {
        int at = k * systems + i;
        float m = 1.0f / (b[at] + 3.0f - a[at] * w);
        w = c[at] * m;
        v = (d[at] - a[at] * v) * m;
        work[at] = w;
        d[at] = v;
    }
    for (int k = n - 2; k >= 0; k--) {
        int at = k * systems + i;
        v = d[at] - work[at] * v;
        d[at] = v;
    }
}
KERNEL v_cyclic_reduction(int n, const float* a, const float* b, const float* c, const float* d, float* x)
{
    extern __shared__ float s[];
    float *sa = s, *sb = s + n, *sc = s + 2 * n, *sd = s + 3 * n;
    int t = threadIdx.x, at = blockIdx.x * n + t;
    sa[t] = t ? a[at] : 0, sb[t] = b[at] + 3.0f, sc[t] = t < n - 1 ? c[at] : 0, sd[t] = d[at];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int l = max(t - step, 0), r = min(t + step, n - 1);
        float k1 = sa[t] / sb[l], k2 = sc[t] / sb[r];
        float na = -sa[l] * k1, nb = sb[t] - sc[l] * k1 - sa[r] * k2, nc = -sc[r] * k2, nd = sd[t] - sd[l] * k1 - sd[r] * k2;
        __syncthreads();
        sa[t] = na, sb[t] = nb, sc[t] = nc, sd[t] = nd;
        __syncthreads();
    }
    x[at] = sd[t] / sb[t];
}
// nerve cells: four variables, sums of exponentials, steps in a loop
__device__ inline float rate(float v, float a, float b, float c) { return a * (v - b) / (1.0f - __expf(-(v - b) / c) + 1e-6f); }
KERNEL v_nerve(int steps, float dt, float current, float4* cells)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 s = cells[i];
    float v = -65.0f * s.x, m = 0.05f * s.y, h = 0.6f * s.z, n = 0.32f * s.w;
    for (int k = 0; k < steps; k++) {
        float am = rate(v, 0.1f, -40.0f, 10.0f), bm = 4.0f * expf(-(v + 65.0f) / 18.0f), ah = 0.07f * expf(-(v + 65.0f) / 20.0f);
        float bh = 1.0f / (1.0f + expf(-(v + 35.0f) / 10.0f)), an = rate(v, 0.01f, -55.0f, 10.0f), bn = 0.125f * expf(-(v + 65.0f) / 80.0f);
        m += dt * (am * (1 - m) - bm * m);
        h += dt * (ah * (1 - h) - bh * h);
        n += dt * (an * (1 - n) - bn * n);
        v += dt * (current - 120.0f * m * m * m * h * (v - 50.0f) - 36.0f * n * n * n * n * (v + 77.0f) - 0.3f * (v + 54.4f));
    }
    cells[i] = make_float4(v, m, h, n);
}
// lattice gas in three dimensions, nineteen directions in arrays of their own
KERNEL v_lattice_19(int nx, int ny, int nz, float omega, const float* in, float* out)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y, z = blockIdx.z, n = nx * ny * nz, at = (z * ny + y) * nx + x;
    const int dx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0}, dy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1}, dz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    float f[19], rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int k = 0; k < 19; k++) {
        int u = (x - dx[k] + nx) % nx, v = (y - dy[k] + ny) % ny, w = (z - dz[k] + nz) % nz;
        f[k] = in[k * n + (w * ny + v) * nx + u];
        rho += f[k], ux += dx[k] * f[k], uy += dy[k] * f[k], uz += dz[k] * f[k];
    }
    ux /= rho, uy /= rho, uz /= rho;
    float square = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int k = 0; k < 19; k++) {
        float e = dx[k] * ux + dy[k] * uy + dz[k] * uz, w = k == 0 ? 1.0f / 3 : k < 7 ? 1.0f / 18 : 1.0f / 36;
        out[k * n + at] = f[k] + omega * (w * rho * (1 + 3 * e + 4.5f * e * e - square) - f[k]);
    }
}
// red and black points of a relaxation in double precision
KERNEL v_red_black(int n, int colour, double omega, const double* f, double* u)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= n - 1 || j >= n - 1 || (i + j & 1) != colour) return;
    int at = i * n + j;
    double r = 0.25 * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - f[at]);
    u[at] += omega * (r - u[at]);
}
// a coarser grid from a finer one, and back
KERNEL v_restrict(int n, const float* fine, float* coarse)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z, m = 2 * n;
    if (x >= n || y >= n) return;
    float s = 0;
    for (int c = 0; c < 2; c++)
        for (int b = 0; b < 2; b++)
            for (int a = 0; a < 2; a++) s += fine[((2 * z + c) * m + 2 * y + b) * m + 2 * x + a];
    coarse[(z * n + y) * n + x] = 0.125f * s;
}
