// Points followed through frames: a block for each looks for its template in a window (normalised correlation in shared memory); then k nearest
// neighbours by sorted lists in registers, and Huffman coding with a histogram, a scan and bits written by atomics.
#include "../user-programs/digest.h"
#include <algorithm>
#include <queue>

constexpr int width = 512, height = 512, half = 12, window = 40, points = 51;
constexpr int side = 2 * half + 1, shifts = window - side + 1;

__global__ void follow(const float* frame, const float* templates, int2* at) {
    __shared__ float area[window * window], small[side * side], best[256];
    __shared__ int place[256];
    const int p = blockIdx.x, left = min(max(at[p].x - window / 2, 0), width - window), top = min(max(at[p].y - window / 2, 0), height - window);
    for (int i = threadIdx.x; i < window * window; i += blockDim.x) area[i] = frame[(top + i / window) * width + left + i % window];
    for (int i = threadIdx.x; i < side * side; i += blockDim.x) small[i] = templates[p * side * side + i];
    __syncthreads();
    float most = -2;
    int where = 0;
    for (int s = threadIdx.x; s < shifts * shifts; s += blockDim.x) {
        const int dx = s % shifts, dy = s / shifts;
        float sum = 0, squares = 0, both = 0, own = 0, own_squares = 0;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const float a = area[(dy + y) * window + dx + x], b = small[y * side + x];
                sum += a, squares += a * a, both += a * b, own += b, own_squares += b * b;
            }
        const float n = side * side, spread = (squares - sum * sum / n) * (own_squares - own * own / n);
        const float c = (both - sum * own / n) * rsqrtf(fmaxf(spread, 1e-12f));
        if (c > most) most = c, where = s;
    }
    best[threadIdx.x] = most, place[threadIdx.x] = where;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step && best[threadIdx.x + step] > best[threadIdx.x]) best[threadIdx.x] = best[threadIdx.x + step], place[threadIdx.x] = place[threadIdx.x + step];
    }
    if (threadIdx.x == 0) at[p] = make_int2(left + place[0] % shifts + half, top + place[0] / shifts + half);
}
template <int K>
__global__ void nearest(const float4* places, int n, const float4* queries, int count, int* result) {
    __shared__ float4 tile[256];
    const int q = blockIdx.x * 256 + threadIdx.x;
    const float4 own = queries[min(q, count - 1)];
    float far[K];
    int which[K];
    for (int k = 0; k < K; ++k) far[k] = 1e30f, which[k] = -1;
    for (int begin = 0; begin < n; begin += 256) {
        __syncthreads();
        tile[threadIdx.x] = places[min(begin + (int)threadIdx.x, n - 1)];
        __syncthreads();
        for (int i = 0; i < 256 && begin + i < n; ++i) {
            const float x = tile[i].x - own.x, y = tile[i].y - own.y, z = tile[i].z - own.z;
            float d = x * x + y * y + z * z;
            if (d >= far[K - 1]) continue;
            int id = begin + i;
#pragma unroll
            for (int k = 0; k < K; ++k)
                if (d < far[k]) {
                    const float e = far[k];
                    const int w = which[k];
                    far[k] = d, which[k] = id, d = e, id = w;
                }
        }
    }
    if (q < count)
        for (int k = 0; k < K; ++k) result[q * K + k] = which[k];
}
__constant__ unsigned code_bits[256], code_length[256];
__global__ void count_bytes(const unsigned char* text, int n, unsigned* counts) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[text[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
__global__ void lengths(const unsigned char* text, unsigned* length) {
    __shared__ unsigned scan[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned own = code_length[text[i]];
    scan[threadIdx.x] = own;
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        const unsigned before = threadIdx.x >= step ? scan[threadIdx.x - step] : 0;
        __syncthreads();
        scan[threadIdx.x] += before;
    }
    length[i] = scan[threadIdx.x] - own;
    if (threadIdx.x == 255) length[gridDim.x * 256 + blockIdx.x] = scan[255];
}
__global__ void write_bits(const unsigned char* text, const unsigned* offset, const unsigned* block_offset, unsigned* out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned bit = offset[i] + block_offset[blockIdx.x], length = code_length[text[i]], bits = code_bits[text[i]];
    const unsigned word = bit / 32, at = bit % 32;
    const unsigned long long wide = (unsigned long long)bits << (64 - length - at);
    atomicOr(&out[word], (unsigned)(wide >> 32));
    if ((unsigned)wide) atomicOr(&out[word + 1], (unsigned)wide);
}
static void depths(const std::vector<unsigned>& counts, unsigned* length) {
    struct Node { unsigned long long count; int a, b; };
    std::vector<Node> nodes;
    using Item = std::pair<unsigned long long, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
    for (int s = 0; s < 256; ++s) nodes.push_back({counts[s] + 1, -1, -1}), queue.push({counts[s] + 1, s});
    while (queue.size() > 1) {
        const Item a = queue.top(); queue.pop();
        const Item b = queue.top(); queue.pop();
        nodes.push_back({a.first + b.first, a.second, b.second}), queue.push({a.first + b.first, (int)nodes.size() - 1});
    }
    std::vector<std::pair<int, unsigned>> stack = {{(int)nodes.size() - 1, 0}};
    while (!stack.empty()) {
        auto [at, depth] = stack.back(); stack.pop_back();
        if (at < 256) length[at] = depth;
        else stack.push_back({nodes[at].a, depth + 1}), stack.push_back({nodes[at].b, depth + 1});
    }
}
int main() {
    Random random(21);
    std::vector<float> frame(width * height), templates(points * side * side);
    for (float& x : frame) x = random.real();
    std::vector<int2> at(points), truth(points);
    for (int p = 0; p < points; ++p) {
        truth[p] = make_int2(30 + random.next() % (width - 60), 30 + random.next() % (height - 60));
        at[p] = make_int2(truth[p].x + (int)(random.next() % 9) - 4, truth[p].y + (int)(random.next() % 9) - 4);
        for (int i = 0; i < side * side; ++i) templates[p * side * side + i] = frame[(truth[p].y - half + i / side) * width + truth[p].x - half + i % side] + 0.1f * random.real();
    }
    const int n = 8192, queries = 4096, bytes = 1 << 20;
    std::vector<float4> places(n), asked(queries);
    for (float4& f : places) f = make_float4(random.real(), random.real(), random.real(), 0);
    for (float4& f : asked) f = make_float4(random.real(), random.real(), random.real(), 0);
    std::vector<unsigned char> text(bytes);
    for (auto& t : text) t = 'a' + std::min(random.next() % 26, random.next() % 26);
    float *d_frame, *d_templates;
    int2* d_at;
    float4 *d_places, *d_asked;
    int* d_near;
    unsigned char* d_text;
    unsigned *d_counts, *d_offsets, *d_blocks, *d_out;
    auto put = [](auto** where, const auto& data) {
        CHECK(cudaMalloc(where, data.size() * sizeof data[0]));
        CHECK(cudaMemcpy(*where, data.data(), data.size() * sizeof data[0], cudaMemcpyHostToDevice));
    };
    put(&d_frame, frame), put(&d_templates, templates), put(&d_at, at), put(&d_places, places), put(&d_asked, asked), put(&d_text, text);
    const int blocks = bytes / 256;
    CHECK(cudaMalloc(&d_near, queries * 8 * 4));
    CHECK(cudaMalloc(&d_counts, 1024));
    CHECK(cudaMemset(d_counts, 0, 1024));
    CHECK(cudaMalloc(&d_offsets, (bytes + blocks) * 4));
    CHECK(cudaMalloc(&d_blocks, blocks * 4));
    CHECK(cudaMalloc(&d_out, bytes + 8));
    CHECK(cudaMemset(d_out, 0, bytes + 8));
    Elapsed elapsed;
    for (int f = 0; f < 3; ++f) follow<<<points, 256>>>(d_frame, d_templates, d_at);
    nearest<8><<<queries / 256, 256>>>(d_places, n, d_asked, queries, d_near);
    count_bytes<<<64, 256>>>(d_text, bytes, d_counts);
    std::vector<unsigned> counts(256), length(256, 0), code(256, 0), ends(blocks), starts(blocks), out(bytes / 4 + 2);
    CHECK(cudaMemcpy(counts.data(), d_counts, 1024, cudaMemcpyDeviceToHost));
    depths(counts, length.data());
    std::vector<int> order(256);
    for (int s = 0; s < 256; ++s) order[s] = s;
    std::sort(order.begin(), order.end(), [&](int a, int b) { return length[a] != length[b] ? length[a] < length[b] : a < b; });
    unsigned long long next = 0;
    for (int k = 0; k < 256; ++k) {
        if (k > 0) next = (next + 1) << (length[order[k]] - length[order[k - 1]]);
        code[order[k]] = (unsigned)next;
    }
    CHECK(cudaMemcpyToSymbol(code_bits, code.data(), 1024));
    CHECK(cudaMemcpyToSymbol(code_length, length.data(), 1024));
    lengths<<<blocks, 256>>>(d_text, d_offsets);
    CHECK(cudaMemcpy(ends.data(), d_offsets + bytes, blocks * 4, cudaMemcpyDeviceToHost));
    unsigned total = 0;
    for (int b = 0; b < blocks; ++b) starts[b] = total, total += ends[b];
    CHECK(cudaMemcpy(d_blocks, starts.data(), blocks * 4, cudaMemcpyHostToDevice));
    write_bits<<<blocks, 256>>>(d_text, d_offsets, d_blocks, d_out);
    elapsed.print();
    CHECK(cudaGetLastError());
    std::vector<int> near_ones(queries * 8);
    CHECK(cudaMemcpy(at.data(), d_at, points * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(near_ones.data(), d_near, near_ones.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out.data(), d_out, bytes + 8, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int p = 0; p < points; ++p) wrong += at[p].x != truth[p].x || at[p].y != truth[p].y;
    for (int q = 0; q < queries; q += 64) {
        std::vector<std::pair<float, int>> all;
        for (int i = 0; i < n; ++i) {
            const float x = places[i].x - asked[q].x, y = places[i].y - asked[q].y, z = places[i].z - asked[q].z;
            all.push_back({x * x + y * y + z * z, i});
        }
        std::partial_sort(all.begin(), all.begin() + 8, all.end());
        for (int k = 0; k < 8; ++k) wrong += all[k].second != near_ones[q * 8 + k] && fabs(all[k].first - all[std::min(k + 1, 7)].first) > 1e-6;
    }
    unsigned bit = 0;
    for (int i = 0; i < bytes; ++i) {
        unsigned read = 0;
        for (unsigned k = 0; k < length[text[i]]; ++k, ++bit) read = 2 * read + (out[bit / 32] >> (31 - bit % 32) & 1);
        wrong += read != code[text[i]];
    }
    digest("bits", out.data(), bytes);
    digest("near", near_ones.data(), near_ones.size() * 4);
    return verdict(wrong == 0 && bit == total, "templates_found");
}
