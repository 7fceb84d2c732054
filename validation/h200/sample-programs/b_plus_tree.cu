// In the manner of Rodinia's b+tree: a block of threads finds each key, level by level, and another each range.
#include "../programs/check.h"
#include <algorithm>
constexpr int ORDER = 256, QUERIES = 6000;
struct Node { int location, is_leaf, keys[ORDER + 1], indices[ORDER + 1], count; };
struct Record { int value; };
__global__ void find_k(long height, const Node* nodes, const Record* records, long* current, const int* keys, Record* found) {
    __shared__ long next;
    const int t = threadIdx.x, b = blockIdx.x;
    for (int level = 0; level < height; ++level) {
        if (nodes[current[b]].keys[t] <= keys[b] && nodes[current[b]].keys[t + 1] > keys[b]) next = nodes[current[b]].indices[t];
        __syncthreads();
        if (t == 0) current[b] = next;
        __syncthreads();
    }
    if (nodes[current[b]].keys[t] == keys[b]) found[b].value = records[nodes[current[b]].indices[t]].value;
}
__global__ void find_range(long height, const Node* nodes, long* current, const int* start, const int* end, int* length) {
    __shared__ int first, last, at_first, at_last;
    __shared__ long low, high;
    const int t = threadIdx.x, b = blockIdx.x;
    if (t == 0) low = high = current[b];
    __syncthreads();
    for (int level = 0; level < height; ++level) {
        if (nodes[low].keys[t] <= start[b] && nodes[low].keys[t + 1] > start[b]) at_first = nodes[low].indices[t];
        if (nodes[high].keys[t] <= end[b] && nodes[high].keys[t + 1] > end[b]) at_last = nodes[high].indices[t];
        __syncthreads();
        if (t == 0) low = at_first, high = at_last;
        __syncthreads();
    }
    if (nodes[low].keys[t] == start[b]) first = nodes[low].indices[t];
    if (nodes[high].keys[t] == end[b]) last = nodes[high].indices[t];
    __syncthreads();
    if (t == 0) length[b] = last - first + 1;
}
int main() {
    // two levels below the root: 256 inner nodes, each with 64 leaves of 64 keys
    const int inner = 64, leaves = 64, per_leaf = 64, total = inner * leaves * per_leaf;
    std::vector<Node> nodes(1 + inner + inner * leaves);
    std::vector<Record> records(total);
    for (int i = 0; i < total; ++i) records[i].value = i * 7 + 1;
    const int huge = 0x7fffffff;
    auto fill = [&](Node& n, int count, auto key, auto index) {
        for (int i = 0; i <= ORDER; ++i) n.keys[i] = i < count ? key(i) : huge, n.indices[i] = i < count ? index(i) : 0;
        n.count = count;
    };
    fill(nodes[0], inner, [&](int i) { return i * leaves * per_leaf * 2; }, [&](int i) { return 1 + i; });
    for (int j = 0; j < inner; ++j) {
        fill(nodes[1 + j], leaves, [&](int i) { return (j * leaves + i) * per_leaf * 2; }, [&](int i) { return 1 + inner + j * leaves + i; });
        for (int k = 0; k < leaves; ++k)
            fill(nodes[1 + inner + j * leaves + k], per_leaf, [&](int i) { return ((j * leaves + k) * per_leaf + i) * 2; },
                 [&](int i) { return (j * leaves + k) * per_leaf + i; });
    }
    std::vector<int> keys(QUERIES), ends(QUERIES), length(QUERIES);
    Random random(5);
    for (int i = 0; i < QUERIES; ++i) keys[i] = 2 * (random.next() % total), ends[i] = std::min(keys[i] + 2000, 2 * (total - 1));
    Node* dn; Record *dr, *df; long* dc; int *dk, *de, *dl;
    CHECK(cudaMalloc((void**)&dn, nodes.size() * sizeof(Node)));
    CHECK(cudaMalloc((void**)&dr, total * sizeof(Record)));
    CHECK(cudaMalloc((void**)&df, QUERIES * sizeof(Record)));
    CHECK(cudaMalloc((void**)&dc, QUERIES * sizeof(long)));
    CHECK(cudaMalloc((void**)&dk, QUERIES * 4)); CHECK(cudaMalloc((void**)&de, QUERIES * 4)); CHECK(cudaMalloc((void**)&dl, QUERIES * 4));
    CHECK(cudaMemcpy(dn, nodes.data(), nodes.size() * sizeof(Node), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dr, records.data(), total * sizeof(Record), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dk, keys.data(), QUERIES * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(de, ends.data(), QUERIES * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dc, 0, QUERIES * sizeof(long)));
    CHECK(cudaMemset(df, 0xff, QUERIES * sizeof(Record)));
    Elapsed elapsed;
    find_k<<<QUERIES, ORDER>>>(2, dn, dr, dc, dk, df);
    CHECK(cudaMemset(dc, 0, QUERIES * sizeof(long)));
    find_range<<<QUERIES, ORDER>>>(2, dn, dc, dk, de, dl);
    elapsed.print();
    std::vector<Record> found(QUERIES);
    CHECK(cudaMemcpy(found.data(), df, QUERIES * sizeof(Record), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(length.data(), dl, QUERIES * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < QUERIES; ++i) right = right && found[i].value == keys[i] / 2 * 7 + 1 && length[i] == (ends[i] - keys[i]) / 2 + 1;
    return verdict(right, "b_plus_tree");
}
