/* Digests, codes and texts bit by bit, as libraries of services write them. */
#include <stdint.h>
#include <string.h>

#define ROTATE(x, k) ((x) >> (k) | (x) << (32 - (k)))

/* The compression function of SHA-256. */
void digest_blocks(int blocks, const uint32_t* in, const uint32_t* k, uint32_t* state) {
    uint32_t w[64];
    for (int n = 0; n < blocks; n++, in += 16) {
        for (int t = 0; t < 16; t++) w[t] = in[t];
        for (int t = 16; t < 64; t++) {
            uint32_t x = w[t - 15], y = w[t - 2];
            w[t] = w[t - 16] + (ROTATE(x, 7) ^ ROTATE(x, 18) ^ x >> 3) + w[t - 7] +
                   (ROTATE(y, 17) ^ ROTATE(y, 19) ^ y >> 10);
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int t = 0; t < 64; t++) {
            uint32_t first = h + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & f) ^ (~e & g)) + k[t] + w[t];
            uint32_t second = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + second;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}

/* Ten rounds of a block cipher by tables. */
void cipher_rounds(int n, const uint32_t* table, const uint32_t* key, const uint32_t* in, uint32_t* out) {
    for (int i = 0; i < n; i++) {
        uint32_t s[4], t[4];
        for (int j = 0; j < 4; j++) s[j] = in[4 * i + j] ^ key[j];
        for (int r = 1; r <= 10; r++) {
            for (int j = 0; j < 4; j++)
                t[j] = table[s[j] & 255] ^ table[256 + (s[(j + 1) & 3] >> 8 & 255)] ^
                       table[512 + (s[(j + 2) & 3] >> 16 & 255)] ^ table[768 + (s[(j + 3) & 3] >> 24)] ^ key[4 * r + j];
            memcpy(s, t, sizeof s);
        }
        memcpy(out + 4 * i, s, sizeof s);
    }
}

/* Symbols by codes of variable length, first bit first. */
long pack_codes(int n, const uint8_t* in, const uint16_t* code, const uint8_t* length, uint8_t* out) {
    uint64_t held = 0;
    int bits = 0;
    long at = 0;
    for (int i = 0; i < n; i++) {
        held |= (uint64_t)code[in[i]] << bits;
        bits += length[in[i]];
        while (bits >= 8) {
            out[at++] = (uint8_t)held;
            held >>= 8;
            bits -= 8;
        }
    }
    return at;
}

struct symbol {
    uint8_t value, length;
};

/* Symbols again, by a table of the next ten bits. */
void unpack_codes(int n, const uint8_t* in, const struct symbol* table, uint8_t* out) {
    uint64_t held = 0;
    int bits = 0;
    for (int i = 0; i < n; i++) {
        while (bits < 10) {
            held |= (uint64_t)*in++ << bits;
            bits += 8;
        }
        struct symbol s = table[held & 1023];
        out[i] = s.value;
        held >>= s.length;
        bits -= s.length;
    }
}

/* Code points of a text in UTF-8; -1 where it is none. */
int code_points(int n, const uint8_t* text) {
    int count = 0;
    for (int i = 0; i < n; count++) {
        uint8_t c = text[i];
        if (c < 0x80) i += 1;
        else if (c >= 0xC2 && c < 0xE0) i += 2;
        else if (c < 0xF0) i += 3;
        else if (c < 0xF5) i += 4;
        else return -1;
    }
    return count;
}

/* Occurrences of a word, from its end, with a table of steps. */
int search_back(int n, const uint8_t* text, int m, const uint8_t* word, const int* step) {
    int count = 0, at = 0;
    while (at + m <= n) {
        int k = m - 1;
        while (k >= 0 && text[at + k] == word[k]) k--;
        if (k < 0) count++;
        at += step[text[at + m - 1]];
    }
    return count;
}

static int digit(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

/* Bytes from pairs of letters. */
void bytes_from_hex(int n, const char* text, uint8_t* out) {
    for (int i = 0; i < n; i++) out[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
}

/* Places of equal beginnings, chained. */
void chain_places(int n, const uint8_t* in, uint16_t* head, uint16_t* before) {
    for (int i = 0; i + 2 < n; i++) {
        uint32_t h = ((uint32_t)in[i] << 10 ^ (uint32_t)in[i + 1] << 5 ^ in[i + 2]) & 4095;
        before[i] = head[h];
        head[h] = (uint16_t)i;
    }
}

/* The state of a twister, and its tempered words. */
void twist(uint32_t* state, uint32_t* out) {
    for (int i = 0; i < 624; i++) {
        uint32_t y = (state[i] & 0x80000000u) | (state[(i + 1) % 624] & 0x7fffffffu);
        state[i] = state[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    for (int i = 0; i < 624; i++) {
        uint32_t y = state[i];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        out[i] = y ^ y >> 18;
    }
}

/* Random points within a circle. */
long points_inside(int n, uint64_t* seed) {
    uint64_t x = *seed;
    long count = 0;
    for (int i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        double a = (double)(uint32_t)x * 0x1p-32, b = (double)(x >> 32) * 0x1p-32;
        if (a * a + b * b < 1.0) count++;
    }
    *seed = x;
    return count;
}

/* Bits of two coordinates in turn. */
void interleave(int n, const uint16_t* x, const uint16_t* y, uint32_t* out) {
    for (int i = 0; i < n; i++) {
        uint32_t a = x[i], b = y[i];
        a = (a | a << 8) & 0x00ff00ffu;
        b = (b | b << 8) & 0x00ff00ffu;
        a = (a | a << 4) & 0x0f0f0f0fu;
        b = (b | b << 4) & 0x0f0f0f0fu;
        a = (a | a << 2) & 0x33333333u;
        b = (b | b << 2) & 0x33333333u;
        a = (a | a << 1) & 0x55555555u;
        b = (b | b << 1) & 0x55555555u;
        out[i] = a | b << 1;
    }
}
