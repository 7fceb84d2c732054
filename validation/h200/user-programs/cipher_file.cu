// Enciphers a file in counter mode with tables of 256 words in constant or shared memory. Arguments: input file, rounds.
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>

#include "digest.h"

__constant__ unsigned boxes[4][256];
__constant__ unsigned keys[44];

__device__ unsigned pick(const unsigned (*table)[256], unsigned a, unsigned b, unsigned c, unsigned d) {
    return table[0][a >> 24] ^ table[1][b >> 16 & 255] ^ table[2][c >> 8 & 255] ^ table[3][d & 255];
}
template <bool in_shared>
__global__ void encipher(const uint4* from, uint4* to, int blocks, unsigned nonce) {
    __shared__ unsigned own[4][256];
    if (in_shared) {
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) own[i / 256][i % 256] = boxes[i / 256][i % 256];
        __syncthreads();
    }
    const auto* table = in_shared ? own : boxes;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < blocks; i += gridDim.x * blockDim.x) {
        uint4 state = make_uint4(nonce ^ keys[0], keys[1], keys[2], i ^ keys[3]);
        for (int round = 1; round <= 10; ++round) {
            uint4 next;
            next.x = pick(table, state.x, state.y, state.z, state.w) ^ keys[4 * round];
            next.y = pick(table, state.y, state.z, state.w, state.x) ^ keys[4 * round + 1];
            next.z = pick(table, state.z, state.w, state.x, state.y) ^ keys[4 * round + 2];
            next.w = pick(table, state.w, state.x, state.y, state.z) ^ keys[4 * round + 3];
            state = next;
        }
        const uint4 text = from[i];
        to[i] = make_uint4(text.x ^ state.x, text.y ^ state.y, text.z ^ state.z, text.w ^ state.w);
    }
}

int main(int count, char** given) {
    std::string text;
    if (count > 1) {
        std::ifstream file(given[1], std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
        if (text.empty()) return verdict(false, "cipher_file: no input");
    } else {
        for (int i = 0; i < 1 << 20; ++i) text += "the quick brown fox "[i % 20];
    }
    const int rounds = count > 2 ? std::stoi(given[2]) : 5, blocks = (text.size() + 15) / 16;
    text.resize(size_t(blocks) * 16);
    Random random(123);
    std::vector<unsigned> box(1024), key(44);
    for (auto& word : box) word = random.next() << 12 ^ random.next();
    for (auto& word : key) word = random.next() << 12 ^ random.next();
    CHECK(cudaMemcpyToSymbol(boxes, box.data(), 4096));
    CHECK(cudaMemcpyToSymbolAsync(keys, key.data(), 176, 0, cudaMemcpyHostToDevice, 0));
    char *from, *to;
    CHECK(cudaMalloc(&from, text.size()));
    CHECK(cudaMalloc(&to, text.size()));
    CHECK(cudaMemcpy(from, text.data(), text.size(), cudaMemcpyHostToDevice));
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
        encipher<true><<<264, 256>>>(reinterpret_cast<uint4*>(from), reinterpret_cast<uint4*>(to), blocks, 2 * round);
        encipher<false><<<264, 256>>>(reinterpret_cast<uint4*>(to), reinterpret_cast<uint4*>(from), blocks, 2 * round + 1);
    }
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    printf("%d rounds\n", rounds);
    if (took.count() < 0) return 1;
    std::string result(text.size(), '\0');
    CHECK(cudaMemcpy(&result[0], from, result.size(), cudaMemcpyDeviceToHost));
    std::vector<unsigned> expected(text.size() / 4);
    memcpy(expected.data(), text.data(), text.size());
    for (int round = 0; round < 2 * rounds; ++round)
        for (int i = 0; i < blocks; i += blocks / 1000 + 1) {
            unsigned state[4] = {unsigned(round) ^ key[0], key[1], key[2], i ^ key[3]}, next[4];
            for (int turn = 1; turn <= 10; ++turn) {
                for (int k = 0; k < 4; ++k)
                    next[k] = box[state[k] >> 24] ^ box[256 + (state[(k + 1) % 4] >> 16 & 255)] ^
                              box[512 + (state[(k + 2) % 4] >> 8 & 255)] ^ box[768 + (state[(k + 3) % 4] & 255)] ^
                              key[4 * turn + k];
                memcpy(state, next, sizeof state);
            }
            for (int k = 0; k < 4; ++k) expected[4 * i + k] ^= state[k];
        }
    bool right = true;
    for (int i = 0; i < blocks; i += blocks / 1000 + 1) right &= memcmp(&expected[4 * i], &result[16 * i], 16) == 0;
    digest("cipher", result.data(), result.size());
    return verdict(right, "cipher_file");
}
