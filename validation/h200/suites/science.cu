// Simulations, data mining and images in the manner of suites of applications: C with macros, structs of arrays, shared tiles.
#define KERNEL extern "C" __global__ void
#define TILE 16

// heat of a chip: several steps on a tile with a border that shrinks
KERNEL u_hotspot(int steps, const float *power, const float *src, float *dst, int cols, int rows, float cap, float rx, float ry, float rz)
{
    __shared__ float temp[TILE][TILE], watt[TILE][TILE], next[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, small = TILE - steps * 2;
    int x = small * blockIdx.x - steps + tx, y = small * blockIdx.y - steps + ty;
    int at = cols * y + x;
    bool inside = x >= 0 && x < cols && y >= 0 && y < rows;
    if (inside) { temp[ty][tx] = src[at]; watt[ty][tx] = power[at]; }
    __syncthreads();
    int n = max(ty - 1, 0), s = min(ty + 1, TILE - 1), w = max(tx - 1, 0), e = min(tx + 1, TILE - 1);
    bool done = false;
    for (int i = 0; i < steps; i++) {
        done = false;
        if (tx >= i + 1 && tx <= TILE - i - 2 && ty >= i + 1 && ty <= TILE - i - 2 && inside) {
            done = true;
            next[ty][tx] = temp[ty][tx] + cap * (watt[ty][tx] + (temp[s][tx] + temp[n][tx] - 2.0f * temp[ty][tx]) * ry +
                                                 (temp[ty][e] + temp[ty][w] - 2.0f * temp[ty][tx]) * rx + (80.0f - temp[ty][tx]) * rz);
        }
        __syncthreads();
        if (i == steps - 1) break;
        if (done) temp[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (done) dst[at] = next[ty][tx];
}
// speckle: coefficients of diffusion with neighbours from index arrays
KERNEL u_srad(int rows, int cols, const int *iN, const int *iS, const int *jE, const int *jW, float *dN, float *dS, float *dE, float *dW, float q0, float *c, const float *I)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int row = (id + 1) % rows - 1, col = (id + 1) / rows;
    if ((id + 1) % rows == 0) { row = rows - 1; col = col - 1; }
    if (id >= rows * cols) return;
    float center = I[id];
    float n = I[iN[row] + rows * col] - center, s = I[iS[row] + rows * col] - center, w = I[row + rows * jW[col]] - center, e = I[row + rows * jE[col]] - center;
    float g2 = (n * n + s * s + w * w + e * e) / (center * center), l = (n + s + w + e) / center;
    float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l), den = 1 + 0.25f * l, q = num / (den * den);
    den = (q - q0) / (q0 * (1 + q0));
    float value = 1.0f / (1.0f + den);
    c[id] = value < 0 ? 0 : value > 1 ? 1 : value;
    dN[id] = n; dS[id] = s; dW[id] = w; dE[id] = e;
}
// the nearest centre of each point, features apart
KERNEL u_kmeans(const float *feature, const float *centre, int n, int k, int features, int *member)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;
    float best = 3.4e38f;
    int which = -1;
    for (int i = 0; i < k; i++) {
        float d = 0;
        for (int l = 0; l < features; l++) { float t = feature[p + l * n] - centre[i * features + l]; d += t * t; }
        if (d < best) { best = d; which = i; }
    }
    member[p] = which;
}
struct Place { float lat, lng; };
KERNEL u_near(const Place *place, float *distance, int n, float lat, float lng)
{
    int id = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    if (id < n) distance[id] = sqrtf((lat - place[id].lat) * (lat - place[id].lat) + (lng - place[id].lng) * (lng - place[id].lng));
}
// the cheapest path downwards, several rows a launch
KERNEL u_path(int iteration, const int *wall, const int *src, int *dst, int cols, int start, int border)
{
    __shared__ int prev[256], result[256];
    int tx = threadIdx.x, small = 256 - iteration * 2, x = small * blockIdx.x - border + tx;
    bool valid = x >= 0 && x < cols;
    int w = max(tx - 1, 0), e = min(tx + 1, 255);
    if (valid) prev[tx] = src[x];
    __syncthreads();
    bool done = false;
    for (int i = 0; i < iteration; i++) {
        done = false;
        if (tx >= i + 1 && tx <= 254 - i && valid) {
            done = true;
            result[tx] = min(min(prev[w], prev[tx]), prev[e]) + wall[cols * (start + i) + x];
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (done) prev[tx] = result[tx];
        __syncthreads();
    }
    if (done) dst[x] = result[tx];
}
// a layer of a network: products of a tile, summed in a tree
KERNEL u_layer_forward(const float *input, const float *weights, float *partial, int hid)
{
    __shared__ float node[16], matrix[16][16];
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + hid + 1, in = 16 * by + ty + 1;
    if (tx == 0) node[ty] = input[in];
    __syncthreads();
    matrix[ty][tx] = weights[index];
    __syncthreads();
    matrix[ty][tx] *= node[ty];
    __syncthreads();
    for (int i = 1; i <= 4; i++) {
        int two = 1 << i;
        if (ty % two == 0) matrix[ty][tx] += matrix[ty + two / 2][tx];
        __syncthreads();
    }
    if (tx == 0) partial[by * hid + ty] = matrix[tx][ty];
}
KERNEL u_layer_adjust(const float *delta, int hid, const float *ly, float *w, float *old)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + hid + 1, iy = 16 * by + ty + 1, ix = tx + 1;
    w[index] += 0.3f * delta[ix] * ly[iy] + 0.3f * old[index];
    old[index] = 0.3f * delta[ix] * ly[iy] + 0.3f * old[index];
}
// gas around a body: fluxes over four faces, neighbours by number, variables apart
KERNEL u_flux(int n, const int *neighbour, const float *normal, const float *v, float *flux)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    float d = v[i], mx = v[i + n], my = v[i + 2 * n], mz = v[i + 3 * n], en = v[i + 4 * n];
    float ux = mx / d, uy = my / d, uz = mz / d, speed = ux * ux + uy * uy + uz * uz, p = 0.4f * (en - 0.5f * d * speed), sound = sqrtf(1.4f * p / d);
    float fd = 0, fx = 0, fy = 0, fz = 0, fe = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int nb = neighbour[i + j * n];
        float nx = normal[i + j * n], ny = normal[i + (j + 4) * n], nz = normal[i + (j + 8) * n], len = sqrtf(nx * nx + ny * ny + nz * nz);
        if (nb >= 0) {
            float d2 = v[nb], mx2 = v[nb + n], my2 = v[nb + 2 * n], mz2 = v[nb + 3 * n], en2 = v[nb + 4 * n];
            float ux2 = mx2 / d2, uy2 = my2 / d2, uz2 = mz2 / d2, s2 = ux2 * ux2 + uy2 * uy2 + uz2 * uz2, p2 = 0.4f * (en2 - 0.5f * d2 * s2);
            float factor = -len * 0.1f * (speed + sqrtf(s2) + sound + sqrtf(1.4f * p2 / d2));
            fd += factor * (d - d2) + 0.5f * nx * (mx2 + mx) + 0.5f * ny * (my2 + my) + 0.5f * nz * (mz2 + mz);
            fx += factor * (mx - mx2) + 0.5f * nx * (ux2 * mx2 + p2 + ux * mx + p);
            fy += factor * (my - my2) + 0.5f * ny * (uy2 * my2 + p2 + uy * my + p);
            fz += factor * (mz - mz2) + 0.5f * nz * (uz2 * mz2 + p2 + uz * mz + p);
            fe += factor * (en - en2) + 0.5f * nx * (ux2 * (en2 + p2) + ux * (en + p));
        } else {
            fx += nx * p; fy += ny * p; fz += nz * p;
        }
    }
    flux[i] = fd; flux[i + n] = fx; flux[i + 2 * n] = fy; flux[i + 3 * n] = fz; flux[i + 4 * n] = fe;
}
// what opening a centre at point x would save
KERNEL u_gain(int n, int dim, int x, int k, const float *coord, const float *weight, const float *cost, const int *assign, const int *table, float *work, int *change)
{
    extern __shared__ float own[];
    int t = blockDim.x * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0) for (int i = 0; i < dim; i++) own[i] = coord[i * n + x];
    __syncthreads();
    if (t >= n) return;
    float d = 0;
    for (int i = 0; i < dim; i++) d += (coord[i * n + t] - own[i]) * (coord[i * n + t] - own[i]);
    float here = d * weight[t], now = cost[t];
    if (here < now) { change[t] = 1; work[t * (k + 1) + k] += here - now; }
    else work[t * (k + 1) + table[assign[t]]] += now - here;
}
KERNEL u_gauss_row(float *m, float *a, float *b, int size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t) return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= size - t) return;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
    if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + y + t] * b[t];
}
// a tree of nodes with many keys: a block follows one question
struct Node { int keys[128], child[128]; };
KERNEL u_tree_find(int height, const Node *nodes, const int *question, int *answer)
{
    __shared__ int current, next;
    int t = threadIdx.x, q = question[blockIdx.x];
    if (t == 0) { current = 0; next = 0; }
    __syncthreads();
    for (int i = 0; i < height; i++) {
        if (nodes[current].keys[t] <= q && (t == 127 || nodes[current].keys[t + 1] > q)) next = nodes[current].child[t];
        __syncthreads();
        if (t == 0) current = next;
        __syncthreads();
    }
    if (t == 0) answer[blockIdx.x] = current;
}
// molecules: a list of neighbours for each atom, position-major
KERNEL u_molecules(int n, int most, float cut2, const float4 *position, const int *list, float4 *force)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = position[i];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < most; j++) {
        float4 o = position[list[j * n + i]];
        float dx = me.x - o.x, dy = me.y - o.y, dz = me.z - o.z, r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cut2 && r2 > 0) {
            float inverse = 1.0f / r2, r6 = inverse * inverse * inverse, f = inverse * r6 * (1.5f * r6 - 2.0f);
            fx += dx * f; fy += dy * f; fz += dz * f;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0);
}
// potentials on a lattice: atoms in constant memory
__constant__ float4 atoms[1024];
KERNEL u_potentials(int natoms, float spacing, float *grid)
{
    int x = blockIdx.x * blockDim.x * 4 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, wide = gridDim.x * blockDim.x * 4;
    float px = x * spacing, py = y * spacing, e0 = 0, e1 = 0, e2 = 0, e3 = 0;
    for (int k = 0; k < natoms; k++) {
        float dy = py - atoms[k].y, rest = dy * dy + atoms[k].z, dx = px - atoms[k].x;
        float step = spacing * blockDim.x, a = dx + step, b = a + step, c = b + step;
        e0 += atoms[k].w * rsqrtf(dx * dx + rest + 0.01f);
        e1 += atoms[k].w * rsqrtf(a * a + rest + 0.01f);
        e2 += atoms[k].w * rsqrtf(b * b + rest + 0.01f);
        e3 += atoms[k].w * rsqrtf(c * c + rest + 0.01f);
    }
    float *g = grid + y * wide + x;
    g[0] += e0; g[blockDim.x] += e1; g[2 * blockDim.x] += e2; g[3 * blockDim.x] += e3;
}
// signals of a scanner: sines and cosines over all samples, which are read through L1
KERNEL u_scanner(int samples, const float4 *k, const float *x, const float *y, const float *z, float *qr, float *qi)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sx = x[i], sy = y[i], sz = z[i], r = qr[i], im = qi[i];
    for (int s = 0; s < samples; s++) {
        float arg = 6.2831853f * (k[s].x * sx + k[s].y * sy + k[s].z * sz);
        r += k[s].w * __cosf(arg);
        im += k[s].w * __sinf(arg);
    }
    qr[i] = r; qi[i] = im;
}
// angles between points, counted in bins that a search finds
KERNEL u_angles(int n, const float *px, const float *py, const float *pz, const float *edge, int bins, unsigned *count)
{
    __shared__ unsigned local[64];
    __shared__ float bound[65];
    for (int i = threadIdx.x; i < bins; i += blockDim.x) local[i] = 0;
    for (int i = threadIdx.x; i <= bins; i += blockDim.x) bound[i] = edge[i];
    __syncthreads();
    float x = px[blockIdx.x], y = py[blockIdx.x], z = pz[blockIdx.x];
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        float dot = x * px[j] + y * py[j] + z * pz[j];
        int low = 0, high = bins;
        while (high > low + 1) {
            int mid = (low + high) / 2;
            if (dot >= bound[mid]) high = mid; else low = mid;
        }
        atomicAdd(&local[low], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) if (local[i]) atomicAdd(&count[i], local[i]);
}
