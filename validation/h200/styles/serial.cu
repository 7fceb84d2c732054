// Texts, tables, scans, solvers: dynamic programming in tiles, bit streams, ballots, one block that goes through a matrix.
#include <cstdint>
namespace {
constexpr unsigned full = 0xffffffffu;
__device__ __forceinline__ int lane_id() { return threadIdx.x & 31; }
template <typename T, typename Op> __device__ T warp_scan(T v, Op op) {
  for (int d = 1; d < 32; d <<= 1) {
    T o = __shfl_up_sync(full, v, d);
    if (lane_id() >= d) v = op(v, o);
  }
  return v;
}
struct Add { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
}  // namespace

// tiles of 32 x 32 of an alignment; the blocks of one diagonal of tiles
extern "C" __global__ void nw_tile(const uint8_t* __restrict__ s, const uint8_t* __restrict__ t, int* __restrict__ score, int pitch, int diagonal, int penalty) {
  __shared__ int cell[33][33];
  const int bx = blockIdx.x, by = diagonal - 1 - bx, tx = threadIdx.x;
  int* base = score + (size_t)by * 32 * pitch + bx * 32;
  for (int r = 0; r <= 32; r++) cell[r][tx] = r == 0 || tx == 0 ? base[(size_t)r * pitch + tx] : 0;
  if (tx == 0) cell[0][32] = base[32];
  __syncwarp();
  const uint8_t mine = t[bx * 32 + tx];
  for (int d = 0; d < 63; d++) {
    const int row = d - tx;
    if (row >= 0 && row < 32) {
      const int same = s[by * 32 + row] == mine ? 3 : -1;
      cell[row + 1][tx + 1] = max(cell[row][tx] + same, max(cell[row][tx + 1], cell[row + 1][tx]) - penalty);
    }
    __syncwarp();
  }
  for (int r = 1; r <= 32; r++) base[(size_t)r * pitch + tx + 1] = cell[r][tx + 1];
}

// all-pairs shortest paths in tiles: the inner phase
extern "C" __global__ void __launch_bounds__(1024) fw_inner(float* __restrict__ d, int n, int k) {
  if (blockIdx.x == k || blockIdx.y == k) return;
  __shared__ float col[32][33], row[32][33];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x;
  col[y][x] = d[(size_t)i * n + k * 32 + x];
  row[y][x] = d[(size_t)(k * 32 + y) * n + j];
  __syncthreads();
  float best = d[(size_t)i * n + j];
#pragma unroll 8
  for (int m = 0; m < 32; m++) best = fminf(best, col[y][m] + row[m][x]);
  d[(size_t)i * n + j] = best;
}

// one block solves a lower triangle, column by column
extern "C" __global__ void trsv_block(const double* __restrict__ l, const double* __restrict__ b, double* __restrict__ x, int n) {
  extern __shared__ double left[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) left[i] = b[i];
  __syncthreads();
  for (int k = 0; k < n; k++) {
    const double v = left[k] / l[(size_t)k * n + k];
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) left[i] -= 0.001 * v * l[(size_t)k * n + i];
    if (threadIdx.x == 0) x[k] = v;
    __syncthreads();
  }
}

// a reflection for each block: norm of a column, then all columns to its right
extern "C" __global__ void reflect(const float* __restrict__ v, float* __restrict__ a, int n, int from) {
  __shared__ float part[8];
  float* column = a + (size_t)(from + blockIdx.x) * n;
  float dot = 0.f;
  for (int i = from + threadIdx.x; i < n; i += 256) dot += v[i] * column[i];
  for (int d = 16; d; d >>= 1) dot += __shfl_xor_sync(full, dot, d);
  if (lane_id() == 0) part[threadIdx.x >> 5] = dot;
  __syncthreads();
  float all = 0.f;
  for (int w = 0; w < 8; w++) all += part[w];
  for (int i = from + threadIdx.x; i < n; i += 256) column[i] -= 0.0005f * all * v[i];
}

// numbers in lines of text, a thread for each line
extern "C" __global__ void parse_lines(const uint8_t* __restrict__ text, const int* __restrict__ line, unsigned* __restrict__ sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned total = 0, value = 0;
  for (int p = line[i]; p < line[i + 1]; ++p) {
    const uint8_t c = text[p];
    if (c >= '0' && c <= '9') value = value * 10 + (c - '0');
    else if (c == ',') total += value, value = 0;
    else value = 0;
  }
  sum[i] = total + value;
}

// the longest match of each position with one of a few positions before it
extern "C" __global__ void longest_match(const uint8_t* __restrict__ s, int* __restrict__ length, int n, int window) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + window;
  if (i >= n - 64) return;
  int best = 0;
  for (int back = 1; back <= window; back++) {
    int m = 0;
    while (m < 32 && s[i + m] == s[i - back + m]) ++m;
    best = m > best ? m : best;
  }
  length[i] = best;
}

// codes of different length: a thread decodes 64 words of the stream with a table of 12 bits
extern "C" __global__ void decode_bits(const uint32_t* __restrict__ bits, const int* __restrict__ code, uint8_t* __restrict__ out, int words, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int position = 0, produced = 0;
  const uint32_t* mine = bits + (size_t)i * each;
  if ((i + 1) * each > words) return;
  while (position < each * 32 - 64) {
    const int w = position >> 5;
    const uint32_t window = __funnelshift_l(mine[w + 1], mine[w], position & 31);
    const int entry = code[window >> 20];
    out[(size_t)i * each * 4 + (produced++ & (each * 4 - 1))] = entry & 255;
    position += entry >> 8;
  }
}

// one digit of a radix sort within a block, by ballots
extern "C" __global__ void split_digit(const uint32_t* __restrict__ key, uint32_t* __restrict__ out, int shift) {
  __shared__ int counts[16][9];
  __shared__ uint32_t sorted[256];
  const int t = threadIdx.x, warp = t >> 5;
  if (t < 144) (&counts[0][0])[t] = 0;
  const uint32_t k = key[blockIdx.x * 256 + t], digit = k >> shift & 15;
  unsigned peers = full;
  for (int b = 0; b < 4; b++) {
    const unsigned set = __ballot_sync(full, digit >> b & 1);
    peers &= digit >> b & 1 ? set : ~set;
  }
  const int rank = __popc(peers & ((1u << lane_id()) - 1));
  __syncthreads();
  if (rank == 0) counts[digit][warp] = __popc(peers);
  __syncthreads();
  if (t < 128) {
    const int sum = warp_scan(counts[t >> 3][t & 7], Add());
    __shared__ int carry[4];
    if (lane_id() == 31) carry[warp] = sum;
    asm volatile("bar.sync 1, 128;" ::: "memory");
    int before = 0;
    for (int w = 0; w < warp; w++) before += carry[w];
    counts[t >> 3][t & 7] = before + sum - counts[t >> 3][t & 7];
  }
  __syncthreads();
  sorted[counts[digit][warp] + rank] = k;
  __syncthreads();
  out[blockIdx.x * 256 + t] = sorted[t];
}

// sums of runs that begin at flags, within warps; carries go to a second array
extern "C" __global__ void segment_sums(const int* __restrict__ head, const float* __restrict__ x, float* __restrict__ y, float* __restrict__ carry, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned heads = __ballot_sync(full, head[i]) | 1u;
    const int first = 31 - __clz(heads & (full >> (31 - lane_id())));
    float v = x[i];
    for (int d = 1; d < 32; d <<= 1) {
      const float o = __shfl_up_sync(full, v, d);
      if (lane_id() - d >= first) v += o;
    }
    y[i] = v;
    if (lane_id() == 31) carry[i >> 5] = v;
  }
}

// warps that keep some of their numbers: one update of a counter for each warp, positions folded into the array
extern "C" __global__ void keep_by_ballot(const uint32_t* __restrict__ x, uint32_t* __restrict__ out, unsigned* count, int n, uint32_t limit, unsigned fold) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keep = i < n && x[i] < limit;
  const unsigned votes = __ballot_sync(full, keep);
  unsigned base = 0;
  if (lane_id() == 0 && votes) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(full, base, 0);
  if (keep) out[(base + __popc(votes & ((1u << lane_id()) - 1))) & fold] = x[i];
}

// small symmetric matrices, one for each thread, until they are nearly diagonal
extern "C" __global__ void rotate_until(const float* __restrict__ m, float* __restrict__ values, int* __restrict__ sweeps, int n, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = m[i], b = m[i + n], c = m[i + 2 * n], d = 0.1f * m[i + 3 * n], e = 0.2f * m[i + 4 * n], f = 0.3f * m[i + 5 * n];
  int s = 0;
  for (; s < 20 && d * d + e * e + f * f > eps; ++s) {
#define TURN(p, q, off, u, v) { const float th = (q - p) / (2.f * off + 1e-30f), tt = copysignf(1.f, th) / (fabsf(th) + sqrtf(th * th + 1.f)), cc = rsqrtf(tt * tt + 1.f), ss = tt * cc; \
    p -= tt * off; q += tt * off; off = 0.f; const float uu = cc * u - ss * v; v = ss * u + cc * v; u = uu; }
    TURN(a, b, d, e, f)
    TURN(a, c, e, d, f)
    TURN(b, c, f, d, e)
  }
  values[i] = a; values[i + n] = b; values[i + 2 * n] = c;
  sweeps[i] = s;
}

// collisions of nine directions where a cell is not solid
extern "C" __global__ void lbm_masked(const float* __restrict__ f, const uint8_t* __restrict__ solid, float* __restrict__ g, int nx, int ny, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const size_t n = (size_t)nx * ny, at = (size_t)y * nx + x;
  if (x >= nx) return;
  if (solid[at]) { for (int k = 0; k < 9; k++) g[(size_t)(k == 0 ? 0 : (k + 3) % 8 + 1) * n + at] = f[k * n + at]; return; }
  const int cx[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1}, cy[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
  float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    const int xs = (x - cx[k] + nx) % nx, ys = (y - cy[k] + ny) % ny;
    v[k] = f[k * n + (size_t)ys * nx + xs];
    rho += v[k]; ux += cx[k] * v[k]; uy += cy[k] * v[k];
  }
  ux /= rho; uy /= rho;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    const float cu = cx[k] * ux + cy[k] * uy, w = k == 0 ? 4.f / 9 : k % 2 ? 1.f / 9 : 1.f / 36;
    g[k * n + at] = v[k] + omega * (w * rho * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * (ux * ux + uy * uy)) - v[k]);
  }
}
