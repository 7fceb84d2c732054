// What launches cost beside their instructions: printing, pages of managed memory that a chain asks for, matches of lanes, tables in constant
// memory at random. Lines: what, numbers of the case, and the least and the median time (us between two events, or cycles).
#include <cstring>
#include <algorithm>

#include "../programs/check.h"

template <int Arguments>
__global__ void prints(int times, int lanes, int warps) {
    if ((int)threadIdx.x % 32 >= lanes || (int)threadIdx.x / 32 >= warps) return;
    for (int t = 0; t < times; ++t) {
        if (Arguments == 0) printf("a line\n");
        if (Arguments == 1) printf("%d\n", t);
        if (Arguments == 4) printf("%d %d %d %d\n", t, times, lanes, warps);
        if (Arguments == 8) printf("%d %d %d %d %f %f %f %s\n", t, times, lanes, warps, 1.5, 2.5, t * 0.5, "text");
    }
}
struct Node { Node* next; long long more; };
__global__ void chain(Node* first) {
    long long sum = 0;
    for (Node* at = first; at; at = at->next) sum += at->more;
    if (sum == 12345) first->more = 0;
}
__global__ void sweep(Node* first, int n) {
    for (Node* at = first; at; at = at->next) {
        int* data = (int*)(at + 1);
        for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += 1;
    }
}
__global__ void matches(int groups, int rounds, int* out, long long* cycles) {
    int value = threadIdx.x % groups, sum = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) {
        sum += __match_any_sync(~0u, value);
        value ^= sum & 0x40000000;
    }
    const long long end = clock64();
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) *cycles = end - begin;
}
__constant__ unsigned table[16384];
__global__ void constants(unsigned words, int distinct, int rounds, unsigned* out, long long* cycles) {
    unsigned at = threadIdx.x % 32 % distinct * 2654435761u, sum = 0;
    for (unsigned i = 0; i < words; i += 16) sum += table[i];  // what the caches can hold is there
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) {
        const unsigned got = table[(at >> 8) % words];
        at = at * 1664525u + 1013904223u + got;
        sum += got;
    }
    const long long end = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = end - begin;
}
__global__ void constants_free(unsigned words, int distinct, int rounds, unsigned* out, long long* cycles) {  // no load waits for another
    unsigned at = threadIdx.x % 32 % distinct * 2654435761u + threadIdx.x / 32 * 977u, sum = 0;
    for (unsigned i = 0; i < words; i += 16) sum += table[i];
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 8
    for (int r = 0; r < rounds; ++r) {
        at = at * 1664525u + 1013904223u;
        sum += table[(at >> 8) % words];
    }
    const long long end = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = end - begin;
}
static cudaEvent_t first_event, last_event;
template <typename Launch>
static void timed(const char* what, int a, int b, int c, int d, int times, Launch launch) {
    std::vector<float> all;
    for (int r = 0; r < times; ++r) {
        float ms;
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(first_event));
        launch();
        CHECK(cudaEventRecord(last_event));
        CHECK(cudaEventSynchronize(last_event));
        CHECK(cudaEventElapsedTime(&ms, first_event, last_event));
        all.push_back(ms * 1e3f);
    }
    std::sort(all.begin(), all.end());
    fprintf(stderr, "%s,%d,%d,%d,%d,%.2f,%.2f\n", what, a, b, c, d, all[0], all[all.size() / 2]);
}
template <typename Launch>
static void counted(const char* what, int a, int b, int c, int d, long long* cycles, int rounds, Launch launch) {
    std::vector<long long> all(5);
    for (auto& one : all) {
        launch();
        CHECK(cudaMemcpy(&one, cycles, 8, cudaMemcpyDeviceToHost));
    }
    std::sort(all.begin(), all.end());
    fprintf(stderr, "%s,%d,%d,%d,%d,%.2f,%.2f\n", what, a, b, c, d, (double)all[0] / rounds, (double)all[2] / rounds);
}
int main(int count, char** argv) {  // an argument: without printing
    const bool prints_too = count == 1;
    CHECK(cudaEventCreate(&first_event));
    CHECK(cudaEventCreate(&last_event));
    long long* cycles;
    int* out;
    CHECK(cudaMalloc(&cycles, 8));
    CHECK(cudaMalloc(&out, 1 << 22));
    fprintf(stderr, "what,a,b,c,d,least,median\n");
    // printing: blocks, warps, lanes, times; the lines go to stdout
    struct { int blocks, warps, lanes, times; } shapes[] = {{1, 1, 1, 0},  {1, 1, 1, 1},  {1, 1, 1, 4},   {1, 1, 1, 16},  {1, 1, 1, 64},  {1, 1, 2, 16},   {1, 1, 8, 16},  {1, 1, 32, 1},   {1, 1, 32, 4},  {1, 1, 32, 16},
                                                         {1, 4, 1, 16}, {1, 8, 32, 4}, {1, 32, 32, 1}, {16, 1, 1, 1},  {64, 1, 1, 1},  {132, 1, 1, 4},  {528, 1, 1, 1}, {2048, 1, 1, 1}, {64, 1, 32, 1}, {132, 4, 32, 1}};
    if (prints_too) for (auto s : shapes) timed("printf1", s.blocks, s.warps, s.lanes, s.times, 7, [&] { prints<1><<<s.blocks, 32 * s.warps>>>(s.times, s.lanes, s.warps); });
    for (auto s : {shapes[3], shapes[8], shapes[14], shapes[18]}) {
        if (!prints_too) break;
        timed("printf0", s.blocks, s.warps, s.lanes, s.times, 7, [&] { prints<0><<<s.blocks, 32 * s.warps>>>(s.times, s.lanes, s.warps); });
        timed("printf4", s.blocks, s.warps, s.lanes, s.times, 7, [&] { prints<4><<<s.blocks, 32 * s.warps>>>(s.times, s.lanes, s.warps); });
        timed("printf8", s.blocks, s.warps, s.lanes, s.times, 7, [&] { prints<8><<<s.blocks, 32 * s.warps>>>(s.times, s.lanes, s.warps); });
    }
    for (int blocks : {16, 64, 176, 264})  // 4096 to 67584 lines: the last ones are more than the buffer holds
        timed("printf_many", blocks, 8, 32, 1, 2, [&] { prints<1><<<blocks, 256>>>(1, 32, 8); });
    // a chain of nodes in managed memory that the host wrote: nodes, bytes between them, allocations (0: one)
    for (int apart : {4096, 65536, 1 << 21})
        for (int nodes : {1, 2, 4, 8, 16, 32}) {
            std::vector<float> all;
            for (int r = 0; r < 5; ++r) {
                char* memory;
                CHECK(cudaMallocManaged(&memory, (size_t)apart * nodes));
                for (int k = 0; k < nodes; ++k) *(Node*)(memory + (size_t)apart * k) = {k + 1 < nodes ? (Node*)(memory + (size_t)apart * (k + 1)) : nullptr, k};
                float ms;
                CHECK(cudaEventRecord(first_event));
                chain<<<1, 1>>>((Node*)memory);
                CHECK(cudaEventRecord(last_event));
                CHECK(cudaEventSynchronize(last_event));
                CHECK(cudaEventElapsedTime(&ms, first_event, last_event));
                all.push_back(ms * 1e3f);
                CHECK(cudaFree(memory));
            }
            std::sort(all.begin(), all.end());
            fprintf(stderr, "chain,%d,%d,0,0,%.2f,%.2f\n", nodes, apart, all[0], all[2]);
        }
    // nodes that are allocations of their own, each with so many bytes behind it that a block changes; and prefetched ones
    for (int prefetch : {0, 1, 2})
        for (int bytes : {64, 65536, 1 << 20})
            for (int nodes : {1, 2, 4, 8}) {
                std::vector<float> all;
                for (int r = 0; r < 5; ++r) {
                    std::vector<Node*> list(nodes);
                    for (auto& node : list) {
                        CHECK(cudaMallocManaged(&node, sizeof(Node) + bytes));
                        memset(node, 0, sizeof(Node) + bytes);
                    }
                    for (int k = 0; k + 1 < nodes; ++k) list[k]->next = list[k + 1];
                    const cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
                    for (auto& node : list) {
                        if (prefetch == 2) {
                            CHECK(cudaMemAdvise(node, sizeof(Node) + bytes, cudaMemAdviseSetPreferredLocation, here));
                            CHECK(cudaMemAdvise(node, sizeof(Node) + bytes, cudaMemAdviseSetAccessedBy, host));
                        }
                        if (prefetch) CHECK(cudaMemPrefetchAsync(node, sizeof(Node) + bytes, here, 0, nullptr));
                    }
                    CHECK(cudaDeviceSynchronize());
                    float ms;
                    CHECK(cudaEventRecord(first_event));
                    sweep<<<1, 256>>>(list[0], bytes / 4);
                    CHECK(cudaEventRecord(last_event));
                    CHECK(cudaEventSynchronize(last_event));
                    CHECK(cudaEventElapsedTime(&ms, first_event, last_event));
                    all.push_back(ms * 1e3f);
                    for (auto node : list) CHECK(cudaFree(node));
                }
                std::sort(all.begin(), all.end());
                fprintf(stderr, "lists,%d,%d,%d,0,%.2f,%.2f\n", nodes, bytes, prefetch, all[0], all[2]);
            }
    for (int warps : {1, 4, 8})
        for (int groups : {1, 2, 3, 4, 8, 16, 32}) counted("match_any", groups, warps, 0, 0, cycles, 256, [&] { matches<<<1, 32 * warps>>>(groups, 256, out, cycles); });
    for (unsigned words : {256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u})
        for (int distinct : {1, 2, 4, 8, 16, 32}) {
            counted("constant_chain", words * 4, distinct, 1, 1, cycles, 512, [&] { constants<<<1, 32>>>(words, distinct, 512, (unsigned*)out, cycles); });
            counted("constant_free", words * 4, distinct, 1, 1, cycles, 512, [&] { constants_free<<<1, 32>>>(words, distinct, 512, (unsigned*)out, cycles); });
        }
    for (unsigned words : {256u, 1024u, 4096u, 16384u})
        for (int distinct : {1, 4, 32})
            for (int warps : {4, 16}) counted("constant_free", words * 4, distinct, warps, 132, cycles, 512, [&] { constants_free<<<132, 32 * warps>>>(words, distinct, 512, (unsigned*)out, cycles); });
    return argv[0] == nullptr;
}
