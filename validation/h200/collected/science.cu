// Simulations and numbers in the manner of public collections: stencils, fluids, particles, eliminations, Monte Carlo.
#include <cooperative_groups.h>
#define KERNEL extern "C" __global__ void
typedef unsigned U;
namespace cg = cooperative_groups;

// diffusion coefficient of an image with speckles, tiles of 16 x 16 with their borders in shared memory
KERNEL c_speckle(int rows, int columns, float q0, const float* image, float* dn, float* ds, float* dw, float* de, float* c)
{
    __shared__ float s[18][18];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, i = y * columns + x;
    s[ty + 1][tx + 1] = image[i];
    if (ty == 0) s[0][tx + 1] = image[max(y - 1, 0) * columns + x];
    if (ty == 15) s[17][tx + 1] = image[min(y + 1, rows - 1) * columns + x];
    if (tx == 0) s[ty + 1][0] = image[y * columns + max(x - 1, 0)];
    if (tx == 15) s[ty + 1][17] = image[y * columns + min(x + 1, columns - 1)];
    __syncthreads();
    float j = s[ty + 1][tx + 1], n = s[ty][tx + 1] - j, so = s[ty + 2][tx + 1] - j, w = s[ty + 1][tx] - j, e = s[ty + 1][tx + 2] - j;
    float g = (n * n + so * so + w * w + e * e) / (j * j), l = (n + so + w + e) / j;
    float num = 0.5f * g - l * l / 16, den = 1 + 0.25f * l, q = num / (den * den);
    den = (q - q0) / (q0 * (1 + q0));
    float k = 1 / (1 + den);
    c[i] = k < 0 ? 0 : k > 1 ? 1 : k;
    dn[i] = n, ds[i] = so, dw[i] = w, de[i] = e;
}
// heat in layers of a chip: each thread marches through the layers and keeps three of them in registers
KERNEL c_heat_layers(int nx, int ny, int nz, const float* t, const float* power, float* out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x, layer = nx * ny;
    int w = x == 0 ? i : i - 1, e = x == nx - 1 ? i : i + 1, n = y == 0 ? i : i - nx, s = y == ny - 1 ? i : i + nx;
    float below = t[i], here = t[i], above = t[i + layer];
    for (int z = 0; z < nz - 1; z++) {
        out[i] = 0.4f * here + 0.1f * (t[w] + t[e] + t[n] + t[s]) + 0.1f * below + 0.1f * above + 0.001f * power[i] + 0.08f;
        i += layer, w += layer, e += layer, n += layer, s += layer;
        below = here, here = above;
        above = z + 2 < nz ? t[i + layer] : above;
    }
    out[i] = 0.5f * here + 0.1f * (t[w] + t[e] + t[n] + t[s]) + 0.1f * below + 0.001f * power[i];
}
struct Neighbour { int x, y, z, box; };
// forces between particles of a box and of its neighbours: a block for each box, a hundred particles in each
KERNEL c_boxes(int per, float a2, const int* count, const Neighbour* neighbours, const float4* place, const float* charge, float4* force)
{
    __shared__ float4 mine[100], theirs[100];
    __shared__ float q[100];
    int box = blockIdx.x;
    for (int t = threadIdx.x; t < per; t += blockDim.x) mine[t] = place[box * per + t];
    __syncthreads();
    for (int k = 0; k <= count[box]; k++) {
        int other = k == 0 ? box : neighbours[box * 26 + k - 1].box;
        for (int t = threadIdx.x; t < per; t += blockDim.x) theirs[t] = place[other * per + t], q[t] = charge[other * per + t];
        __syncthreads();
        for (int t = threadIdx.x; t < per; t += blockDim.x) {
            float4 p = mine[t], f = make_float4(0, 0, 0, 0);
            for (int j = 0; j < per; j++) {
                float4 o = theirs[j];
                float r2 = p.w + o.w - (p.x * o.x + p.y * o.y + p.z * o.z), v = expf(-a2 * r2), s = 2 * v * q[j];
                f.w += q[j] * v, f.x += s * (p.x - o.x), f.y += s * (p.y - o.y), f.z += s * (p.z - o.z);
            }
            float4* out = &force[box * per + t];
            out->x += f.x, out->y += f.y, out->z += f.z, out->w += f.w;
        }
        __syncthreads();
    }
}
// a cell's currents: long code without loops, exponentials and powers everywhere
template <int K> __device__ float gate(float v, float* y, int i, int n, float dt)
{
    float a = (0.1f + 0.01f * K) * (v + 40 + K) / (1 - expf(-(v + 40 + K) / 10)), b = 4 * expf(-(v + 65 - K) / (18 + K));
    float g = y[i + K * n];
    g += dt * (a * (1 - g) - b * g);
    y[i + K * n] = g;
    return g;
}
KERNEL c_cell_currents(int n, float dt, float* y, float* rate)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = -65 + 10 * y[i + 12 * n], sum = 0;
    float m = gate<0>(v, y, i, n, dt), h = gate<1>(v, y, i, n, dt), k = gate<2>(v, y, i, n, dt), r = gate<3>(v, y, i, n, dt);
    sum += 120 * m * m * m * h * (v - 50) + 36 * k * k * k * k * (v + 77);
    m = gate<4>(v, y, i, n, dt), h = gate<5>(v, y, i, n, dt), k = gate<6>(v, y, i, n, dt), r += gate<7>(v, y, i, n, dt);
    sum += powf(m, 1.7f) * h * (v - 30) + logf(1 + k) * (v + 20) / (1 + expf(-r));
    m = gate<8>(v, y, i, n, dt), h = gate<9>(v, y, i, n, dt), k = gate<10>(v, y, i, n, dt), r += gate<11>(v, y, i, n, dt);
    sum += powf(h, 2.3f) * m * sqrtf(fabsf(v)) + k / (0.3f + r);
    y[i + 12 * n] -= dt * sum * 0.001f;
    rate[i] = sum;
}
// elimination: the columns right of the pivot, in all rows below it
KERNEL c_eliminate(int n, int t, const float* m, float* a, float* b)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n - 1 - t || y >= n - t) return;
    a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
    if (y == 0) b[x + 1 + t] -= m[n * (x + 1 + t) + t] * b[t];
}
// the row and the column of tiles beside a factored one: one half of a block solves each
KERNEL c_perimeter(int n, int offset, float* m)
{
    __shared__ float dia[16][16], row[16][16], column[16][16];
    int idx = threadIdx.x & 15, half = threadIdx.x >> 4, at = offset + (blockIdx.x + 1) * 16;
    if (half == 0) {
        for (int i = 0; i < 8; i++) dia[i][idx] = m[(offset + i) * n + offset + idx];
        for (int i = 0; i < 16; i++) row[i][idx] = m[(offset + i) * n + at + idx];
    } else {
        for (int i = 8; i < 16; i++) dia[i][idx] = m[(offset + i) * n + offset + idx];
        for (int i = 0; i < 16; i++) column[i][idx] = m[(at + i) * n + offset + idx];
    }
    __syncthreads();
    if (half == 0) {
        for (int i = 1; i < 16; i++)
            for (int j = 0; j < i; j++) row[i][idx] -= dia[i][j] * row[j][idx];
    } else {
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < i; j++) column[idx][i] -= column[idx][j] * dia[j][i];
            column[idx][i] /= dia[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < 16; i++)
        if (half == 0) m[(offset + i) * n + at + idx] = row[i][idx];
        else m[(at + i) * n + offset + idx] = column[i][idx];
}
// cheapest way down a grid, several rows at a time in shared memory, with borders that are computed twice
KERNEL c_paths(int iteration, int columns, int border, const int* wall, const int* from, int* to)
{
    __shared__ int prev[256], result[256];
    int small = 256 - 2 * iteration * 1, x = blockIdx.x * small - border + threadIdx.x, tx = threadIdx.x;
    int low = max(0, -(blockIdx.x * small - border)), high = min(255, columns - 1 - (int)(blockIdx.x * small - border));
    bool valid = tx >= low && tx <= high, done = false;
    if (valid) prev[tx] = from[x];
    __syncthreads();
    for (int i = 0; i < iteration; i++) {
        done = false;
        if (tx >= i + 1 && tx <= 254 - i && valid) {
            done = true;
            int shortest = min(prev[max(tx - 1, low)], min(prev[tx], prev[min(tx + 1, high)]));
            result[tx] = shortest + wall[i * columns + x];
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (done) prev[tx] = result[tx];
        __syncthreads();
    }
    if (done) to[x] = result[tx];
}
// what a new centre would save: distances in all dimensions, and one column of a table for each thread
KERNEL c_gain(int n, int dims, int x, int k, const float* coordinates, const float* weight, const float* cost, const int* assigned, const int* table, float* lower, unsigned char* change)
{
    extern __shared__ float centre[];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int d = threadIdx.x; d < dims; d += blockDim.x) centre[d] = coordinates[d * n + x];
    __syncthreads();
    if (t >= n) return;
    float* mine = lower + (size_t)t * (k + 1);
    float sum = 0;
    for (int d = 0; d < dims; d++) {
        float e = coordinates[d * n + t] - centre[d];
        sum += e * e;
    }
    float current = weight[t] * sum;
    if (current < cost[t]) {
        change[t] = 1;
        mine[k] += current - cost[t];
    } else {
        mine[table[assigned[t]]] += cost[t] - current;
    }
}
// points to their nearest centres, a fixed number of dimensions in registers, centres from shared memory
template <int D> __device__ void nearest(int n, int k, const float* p, const float* centres, float* s, int* member)
{
    for (int i = threadIdx.x; i < k * D; i += blockDim.x) s[i] = centres[i];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x[D], best = 1e30f;
        int at = 0;
#pragma unroll
        for (int d = 0; d < D; d++) x[d] = p[d * n + i];
        for (int c = 0; c < k; c++) {
            float sum = 0;
#pragma unroll
            for (int d = 0; d < D; d++) sum += (x[d] - s[c * D + d]) * (x[d] - s[c * D + d]);
            if (sum < best) best = sum, at = c;
        }
        member[i] = at;
    }
}
KERNEL c_centres_8(int n, int k, const float* p, const float* centres, int* member) { extern __shared__ float s8[]; nearest<8>(n, k, p, centres, s8, member); }
KERNEL c_centres_34(int n, int k, const float* p, const float* centres, int* member) { extern __shared__ float s34[]; nearest<34>(n, k, p, centres, s34, member); }
// likelihood of particles in a picture: pixels of a disc around each
KERNEL c_likelihood(int n, int ones, int side, const float* x, const float* y, const int2* disc, const unsigned char* picture, float* likelihood, double* sums)
{
    __shared__ double buffer[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    if (i < n) {
        for (int k = 0; k < ones; k++) {
            int ix = __float2int_rn(x[i]) + disc[k].y, iy = __float2int_rn(y[i]) + disc[k].x;
            int at = abs(ix * side + iy);
            if (at >= side * side) at = 0;
            float v = picture[at];
            sum += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 50.0f;
        }
        likelihood[i] = sum / ones;
    }
    buffer[threadIdx.x] = i < n ? exp((double)sum / ones * 1e-3) : 0;
    __syncthreads();
    for (int s = 128; s; s >>= 1) {
        if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = buffer[0];
}
// flux of an unstructured mesh: four neighbours of each cell, five variables in arrays of their own
KERNEL c_flux(int n, const int* neighbours, const float* normals, const float* v, float* flux)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = v[i], mx = v[i + n], my = v[i + 2 * n], mz = v[i + 3 * n], e = v[i + 4 * n];
    float ux = mx / d, uy = my / d, uz = mz / d, speed = ux * ux + uy * uy + uz * uz, p = 0.4f * (e - 0.5f * d * speed), sound = sqrtf(fabsf(1.4f * p / d));
    float f0 = 0, f1 = 0, f2 = 0, f3 = 0, f4 = 0;
    for (int k = 0; k < 4; k++) {
        int o = neighbours[i + k * n];
        float nx = normals[i + (k * 3) * n], ny = normals[i + (k * 3 + 1) * n], nz = normals[i + (k * 3 + 2) * n];
        float area = sqrtf(nx * nx + ny * ny + nz * nz);
        if (o >= 0) {
            float od = v[o], ox = v[o + n], oy = v[o + 2 * n], oz = v[o + 3 * n], oe = v[o + 4 * n];
            float wx = ox / od, wy = oy / od, wz = oz / od, os = wx * wx + wy * wy + wz * wz, op = 0.4f * (oe - 0.5f * od * os);
            float factor = -area * 0.2f * 0.5f * (sqrtf(speed) + sqrtf(os) + sound + sqrtf(fabsf(1.4f * op / od)));
            f0 += factor * (d - od) + 0.5f * (nx * (mx + ox) + ny * (my + oy) + nz * (mz + oz));
            f4 += factor * (e - oe) + 0.5f * nx * (ux * (e + p) + wx * (oe + op));
            f1 += factor * (mx - ox) + 0.5f * nx * (p + op), f2 += factor * (my - oy) + 0.5f * ny * (p + op), f3 += factor * (mz - oz) + 0.5f * nz * (p + op);
        } else if (o == -1) {
            f1 += nx * p, f2 += ny * p, f3 += nz * p;
        } else {
            f0 += 0.5f * (nx * (mx + 1.2f) + ny * my), f4 += 0.5f * nx * 2.5f * ux, f1 += 0.5f * nx * (p + 1);
        }
    }
    flux[i] = f0, flux[i + n] = f1, flux[i + 2 * n] = f2, flux[i + 3 * n] = f3, flux[i + 4 * n] = f4;
}
// lattice of 19 directions: pulled from neighbours, relaxed, stored; each direction an array
__constant__ int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0}, cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1},
                 cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
KERNEL c_lattice_19(int n, float omega, const float* f, float* g)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, cells = n * n * n, i = (z * n + y) * n + x;
    float v[19], rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int k = 0; k < 19; k++) {
        int xx = x - cx[k], yy = y - cy[k], zz = z - cz[k];
        xx = xx < 0 ? n - 1 : xx >= n ? 0 : xx, yy = yy < 0 ? n - 1 : yy >= n ? 0 : yy, zz = zz < 0 ? n - 1 : zz >= n ? 0 : zz;
        v[k] = f[(size_t)k * cells + (zz * n + yy) * n + xx];
        rho += v[k], ux += v[k] * cx[k], uy += v[k] * cy[k], uz += v[k] * cz[k];
    }
    float inv = 1 / rho;
    ux *= inv, uy *= inv, uz *= inv;
    float square = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int k = 0; k < 19; k++) {
        float w = k == 0 ? 1 / 3.f : k < 7 ? 1 / 18.f : 1 / 36.f, c = 3 * (ux * cx[k] + uy * cy[k] + uz * cz[k]);
        g[(size_t)k * cells + i] = v[k] + omega * (w * rho * (1 + c + 0.5f * c * c - square) - v[k]);
    }
}
// waves of second order in time, eighth in space: planes in shared memory, the axis of marching in registers
KERNEL c_waves(int nx, int ny, int nz, const float* p, const float* velocity, float* q)
{
    __shared__ float s[24][40];
    int tx = threadIdx.x + 4, ty = threadIdx.y + 4, x = blockIdx.x * 32 + tx, y = blockIdx.y * 16 + ty, layer = nx * ny, i = y * nx + x;
    float front[4], back[4], here;
    for (int k = 0; k < 4; k++) back[3 - k] = p[i + k * layer];
    here = p[i + 4 * layer];
    for (int k = 0; k < 4; k++) front[k] = p[i + (5 + k) * layer];
    i += 4 * layer;
    for (int z = 4; z < nz - 4; z++) {
        __syncthreads();
        s[ty][tx] = here;
        if (threadIdx.y < 4) s[ty - 4][tx] = p[i - 4 * nx], s[ty + 16][tx] = p[i + 16 * nx];
        if (threadIdx.x < 4) s[ty][tx - 4] = p[i - 4], s[ty][tx + 32] = p[i + 32];
        __syncthreads();
        float sum = -2.8f * here;
        const float c[4] = {1.6f, -0.2f, 0.025f, -0.0018f};
#pragma unroll
        for (int k = 0; k < 4; k++) sum += c[k] * (s[ty][tx - k - 1] + s[ty][tx + k + 1] + s[ty - k - 1][tx] + s[ty + k + 1][tx] + front[k] + back[k]);
        q[i] = 2 * here - q[i] + sum * velocity[i];
        i += layer;
        for (int k = 3; k > 0; k--) back[k] = back[k - 1];
        back[0] = here, here = front[0];
        for (int k = 0; k < 3; k++) front[k] = front[k + 1];
        if (z + 5 < nz) front[3] = p[i + 4 * layer];
    }
}
__device__ uint4 philox(uint4 c, uint2 key)
{
    for (int r = 0; r < 10; r++) {
        U h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        c = make_uint4(h1 ^ c.y ^ key.x, l1, h0 ^ c.w ^ key.y, l0);
        key.x += 0x9E3779B9u, key.y += 0xBB67AE85u;
    }
    return c;
}
// price of an option by random paths, normals by pairs, sums by a group of a cooperative tile and one atomic
KERNEL c_paths_philox(int steps, float drift, float vol, float strike, double* sum)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ float part[8];
    U id = blockIdx.x * blockDim.x + threadIdx.x;
    float log_price = 0;
    for (int k = 0; k < steps; k++) {
        uint4 r = philox(make_uint4(id, k, 0, 0), make_uint2(1234, 5678));
        float u = (r.x + 0.5f) * 2.3283064e-10f, w = r.y * 1.4629180e-9f, radius = sqrtf(-2 * __logf(u)), si, co;
        __sincosf(w, &si, &co);
        log_price += 2 * drift + vol * radius * (si + co);
    }
    float pay = fmaxf(__expf(log_price) - strike, 0.f);
    for (int o = 16; o; o >>= 1) pay += tile.shfl_down(pay, o);
    if (tile.thread_rank() == 0) part[threadIdx.x / 32] = pay;
    block.sync();
    if (threadIdx.x == 0) {
        float s = 0;
        for (int k = 0; k < 8; k++) s += part[k];
        atomicAdd(sum, (double)s);
    }
}
// quasi-random numbers of one dimension: directions in shared memory, by Gray codes with a stride of a power of two
KERNEL c_quasi(int n, const U* directions, float* out)
{
    __shared__ U v[32];
    directions += 32 * blockIdx.y, out += (size_t)n * blockIdx.y;
    if (threadIdx.x < 32) v[threadIdx.x] = directions[threadIdx.x];
    __syncthreads();
    int i0 = threadIdx.x + blockIdx.x * blockDim.x, stride = gridDim.x * blockDim.x;
    U g = i0 ^ (i0 >> 1), x = 0;
    for (U k = 0; k < __ffs(stride) - 1; k++) {
        U mask = -(int)(g & 1);
        x ^= mask & v[k], g >>= 1;
    }
    if (i0 < n) out[i0] = x * 2.3283064e-10f;
    U low = v[__ffs(stride) - 2];
    for (int i = i0 + stride; i < n; i += stride) {
        x ^= low ^ v[__ffs(~((i - stride) | (stride - 1))) - 1];
        out[i] = x * 2.3283064e-10f;
    }
}
// what eight nodes of an element give: gathers by a list of nodes, double precision, volumes and gradients
KERNEL c_elements(int n, const int* nodes, const double* x, const double* y, const double* z, double* volume, double* longest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double px[8], py[8], pz[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int a = nodes[i * 8 + k];
        px[k] = x[a], py[k] = y[a], pz[k] = z[a];
    }
    auto triple = [&](int a, int b, int c, int d) {
        double ax = px[b] - px[a], ay = py[b] - py[a], az = pz[b] - pz[a], bx = px[c] - px[a], by = py[c] - py[a], bz = pz[c] - pz[a], cx = px[d] - px[a], cy = py[d] - py[a], cz = pz[d] - pz[a];
        return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    };
    double v = triple(0, 1, 2, 6) + triple(0, 2, 3, 6) + triple(0, 3, 7, 6) + triple(0, 7, 4, 6) + triple(0, 4, 5, 6) + triple(0, 5, 1, 6), far = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        double dx = px[k] - px[k + 4], dy = py[k] - py[k + 4], dz = pz[k] - pz[k + 4];
        far = fmax(far, dx * dx + dy * dy + dz * dz);
    }
    volume[i] = v / 6, longest[i] = sqrt(far);
}
struct Sample { float x, y, z, magnitude; };
__constant__ Sample samples[1024];
// a trajectory's samples in constant memory, one point of an image for each thread
KERNEL c_image_sums(int n, const float* x, const float* y, const float* z, float* re, float* im)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float px = x[i], py = y[i], pz = z[i], r = re[i], m = im[i];
    for (int k = 0; k < 1024; k++) {
        float a = 6.2831853f * (samples[k].x * px + samples[k].y * py + samples[k].z * pz);
        r += samples[k].magnitude * __cosf(a), m += samples[k].magnitude * __sinf(a);
    }
    re[i] = r, im[i] = m;
}
// seven numbers of a particle side by side: each thread reads and writes a struct
struct Particle { float x, y, z, u, v, w, mass; };
KERNEL c_push(int n, float dt, float side, Particle* p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle q = p[i];
    q.u -= dt * 0.1f * q.x, q.v -= dt * 0.1f * q.y, q.w -= dt * 0.1f * q.z;
    q.x += dt * q.u, q.y += dt * q.v, q.z += dt * q.w;
    q.x -= side * floorf(q.x / side), q.y -= side * floorf(q.y / side), q.z -= side * floorf(q.z / side);
    p[i] = q;
}
// products of tridiagonal rows in parallel: cyclic reduction of 512 unknowns by steps of all threads
KERNEL c_parallel_reduction(int n, const float* a, const float* b, const float* c, const float* d, float* x)
{
    extern __shared__ float s[];
    float *sa = s, *sb = s + n, *sc = s + 2 * n, *sd = s + 3 * n;
    int t = threadIdx.x, at = blockIdx.x * n + t;
    sa[t] = a[at], sb[t] = b[at], sc[t] = c[at], sd[t] = d[at];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int l = max(t - step, 0), r = min(t + step, n - 1);
        float k1 = t >= step ? sa[t] / sb[l] : 0, k2 = t + step < n ? sc[t] / sb[r] : 0;
        float na = -sa[l] * k1, nb = sb[t] - sc[l] * k1 - sa[r] * k2, nc = -sc[r] * k2, nd = sd[t] - sd[l] * k1 - sd[r] * k2;
        __syncthreads();
        sa[t] = na, sb[t] = nb + 3, sc[t] = nc, sd[t] = nd;
        __syncthreads();
    }
    x[at] = sd[t] / sb[t];
}
