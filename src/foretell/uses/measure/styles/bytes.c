/* Checksums, compression, hashing and text. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint32_t adler_sum(uint32_t adler, const unsigned char *buf, size_t len) {
  uint32_t a = adler & 0xffff, b = adler >> 16;
  while (len) {
    size_t n = len < 5552 ? len : 5552;
    len -= n;
    while (n >= 16) {
      for (int k = 0; k < 16; k++) {
        a += buf[k];
        b += a;
      }
      buf += 16;
      n -= 16;
    }
    while (n--) {
      a += *buf++;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return a | (b << 16);
}

uint32_t crc_table(const uint32_t *table, const unsigned char *p, size_t len) {
  uint32_t c = 0xffffffffu;
  for (size_t i = 0; i < len; i++) c = table[(c ^ p[i]) & 0xff] ^ (c >> 8);
  return c ^ 0xffffffffu;
}

uint32_t crc_words(const uint32_t table[4][256], const unsigned char *p, size_t len) {
  uint32_t c = ~0u;
  while (len >= 4) {
    uint32_t w;
    memcpy(&w, p, 4);
    c ^= w;
    c = table[3][c & 255] ^ table[2][(c >> 8) & 255] ^ table[1][(c >> 16) & 255] ^ table[0][c >> 24];
    p += 4;
    len -= 4;
  }
  while (len--) c = (c >> 8) ^ table[0][(c ^ *p++) & 255];
  return ~c;
}

/* For every place of a window, the longest earlier string with the same beginning, along a hash chain. */
long longest_match(const unsigned char *window, const uint16_t *prev, int from, int to, int mask, int chain) {
  long total = 0;
  for (int start = from; start < to; start++) {
    int best = 2, left = chain, match = prev[start & mask];
    while (match > 0 && match < start && left-- > 0) {
      const unsigned char *a = window + start, *b = window + match;
      if (a[best] == b[best] && a[0] == b[0] && a[1] == b[1]) {
        int len = 2;
        while (len < 64 && a[len] == b[len]) len++;
        if (len > best) best = len;
      }
      match = prev[match & mask];
    }
    total += best;
  }
  return total;
}

/* Copies of earlier output, byte by byte, as a decoder makes them. */
size_t copy_matches(unsigned char *out, const uint16_t *length, const uint16_t *distance, int count) {
  unsigned char *p = out + 4096;
  for (int i = 0; i < count; i++) {
    const unsigned char *from = p - distance[i];
    int len = length[i];
    do *p++ = *from++;
    while (--len);
  }
  return (size_t)(p - out);
}

void byte_histogram(const unsigned char *data, size_t n, unsigned *count) {
  memset(count, 0, 256 * sizeof *count);
  for (size_t i = 0; i < n; i++) count[data[i]]++;
}

uint64_t fnv_hash(const unsigned char *p, size_t n) {
  uint64_t h = 14695981039346656037ull;
  while (n--) h = (h ^ *p++) * 1099511628211ull;
  return h;
}

static uint32_t rotate(uint32_t x, int r) { return (x << r) | (x >> (32 - r)); }

uint32_t murmur_hash(const uint8_t *data, size_t len, uint32_t seed) {
  uint32_t h = seed;
  for (size_t i = 0; i < len / 4; i++) {
    uint32_t k;
    memcpy(&k, data + 4 * i, 4);
    k *= 0xcc9e2d51u;
    k = rotate(k, 15);
    k *= 0x1b873593u;
    h ^= k;
    h = rotate(h, 13);
    h = h * 5 + 0xe6546b64u;
  }
  h ^= (uint32_t)len;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  return h;
}

/* Four lanes of 64 bits side by side. */
uint64_t lanes_hash(const uint64_t *p, size_t words) {
  uint64_t v[4] = {1, 2, 3, 4};
  for (size_t i = 0; i + 4 <= words; i += 4)
    for (int k = 0; k < 4; k++) {
      v[k] += p[i + k] * 0xc2b2ae3d27d4eb4full;
      v[k] = (v[k] << 31) | (v[k] >> 33);
      v[k] *= 0x9e3779b185ebca87ull;
    }
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Open addressing with linear probing; 0 is an empty place. */
long table_lookup(const uint64_t *slots, uint64_t mask, const uint64_t *keys, long n) {
  long hits = 0;
  for (long i = 0; i < n; i++) {
    uint64_t at = (keys[i] * 0x9e3779b97f4a7c15ull) >> 20;
    while (slots[at & mask] != 0) {
      if (slots[at & mask] == keys[i]) {
        hits++;
        break;
      }
      at++;
    }
  }
  return hits;
}

void base64_encode(const unsigned char *in, size_t n, char *out, const char *alphabet) {
  for (size_t i = 0, o = 0; i + 3 <= n; i += 3, o += 4) {
    unsigned v = (unsigned)in[i] << 16 | (unsigned)in[i + 1] << 8 | in[i + 2];
    out[o] = alphabet[v >> 18];
    out[o + 1] = alphabet[(v >> 12) & 63];
    out[o + 2] = alphabet[(v >> 6) & 63];
    out[o + 3] = alphabet[v & 63];
  }
}

size_t count_words(const char *text, size_t n) {
  size_t words = 0;
  int inside = 0;
  for (size_t i = 0; i < n; i++) {
    int space = text[i] == ' ' || text[i] == '\n' || text[i] == '\t';
    if (!space && !inside) words++;
    inside = !space;
  }
  return words;
}

void stream_cipher(const unsigned char *key, size_t keylen, unsigned char *data, size_t n) {
  for (size_t i = 0, k = 0; i < n; i++) {
    data[i] ^= key[k];
    if (++k == keylen) k = 0;
  }
}

long parse_numbers(const char *text, long *out) {
  long count = 0;
  while (*text) {
    long v = 0;
    while (*text >= '0' && *text <= '9') v = v * 10 + (*text++ - '0');
    out[count++] = v;
    while (*text && (*text < '0' || *text > '9')) text++;
  }
  return count;
}
