/* Walks: chains through loaded indices and pointers, searches, scanners and state machines, small loops with early ends. */
#include <math.h>
#include <stdint.h>
#include <string.h>

struct item {
  long key;
  double weight;
  struct item *next;
};

struct branch {
  int key, left, right;
};

int index_chase(const int *next, int p, int n) {
  for (int i = 0; i < n; i++) p = next[p];
  return p;
}

double item_weights(const struct item *at, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += at->weight;
    at = at->next;
  }
  return s;
}

/* Every parent is before its children by half: a path of log2(n) steps. */
long root_depths(const int *parent, int n) {
  long steps = 0;
  for (int i = 0; i < n; i++)
    for (int x = i; x != 0; x = parent[x]) steps++;
  return steps;
}

long tree_finds(const struct branch *tree, const int *keys, int m) {
  long found = 0;
  for (int i = 0; i < m; i++) {
    int at = 0;
    while (at >= 0 && tree[at].key != keys[i]) at = keys[i] < tree[at].key ? tree[at].left : tree[at].right;
    found += at >= 0;
  }
  return found;
}

long halving_search(const int *sorted, int n, const int *keys, int m) {
  long sum = 0;
  for (int i = 0; i < m; i++) {
    const int *base = sorted;
    int left = n;
    while (left > 1) {
      int half = left / 2;
      base += base[half - 1] < keys[i] ? half : 0;
      left -= half;
    }
    sum += base - sorted;
  }
  return sum;
}

uint32_t hash_bytes(const unsigned char *s, int n) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < n; i++) h = (h ^ s[i]) * 16777619u;
  return h;
}

uint32_t crc_bytes(const uint32_t *table, const unsigned char *p, int n) {
  uint32_t crc = ~0u;
  while (n--) crc = table[(crc ^ *p++) & 255] ^ (crc >> 8);
  return ~crc;
}

int find_byte(const char *s, int n, char c) {
  for (int i = 0; i < n; i++)
    if (s[i] == c) return i;
  return -1;
}

int match_length(const unsigned char *a, const unsigned char *b, int n) {
  int k = 0;
  while (k < n && a[k] == b[k]) k++;
  return k;
}

int count_tokens(const char *text, int n) {
  int words = 0, inside = 0;
  for (int i = 0; i < n; i++) {
    if (text[i] == ' ' || text[i] == '\n')
      inside = 0;
    else if (!inside) {
      inside = 1;
      words++;
    }
  }
  return words;
}

int parse_numbers_walk(const char *text, int n, int *out) {
  int count = 0, value = 0;
  for (int i = 0; i < n; i++) {
    char c = text[i];
    if (c >= '0' && c <= '9') {
      value = 10 * value + (c - '0');
    } else {
      out[count++] = value;
      value = 0;
    }
  }
  return count;
}

/* Comments and strings of a C-like text. */
int lexer_states(const char *text, int n) {
  int state = 0, ends = 0;
  for (int i = 0; i < n; i++) {
    char c = text[i];
    switch (state) {
    case 0:
      if (c == '/') state = 1;
      else if (c == '"') state = 4;
      break;
    case 1:
      state = c == '*' ? 2 : 0;
      break;
    case 2:
      if (c == '*') state = 3;
      break;
    case 3:
      if (c == '/') {
        state = 0;
        ends++;
      } else if (c != '*')
        state = 2;
      break;
    default:
      if (c == '"') {
        state = 0;
        ends++;
      }
    }
  }
  return ends;
}

int decode_varints(const unsigned char *in, int n, uint32_t *out) {
  int count = 0, i = 0;
  while (i < n) {
    uint32_t value = 0;
    int shift = 0;
    unsigned char byte;
    do {
      byte = in[i++];
      value |= (uint32_t)(byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    out[count++] = value;
  }
  return count;
}

/* The m keys, each in the place of the smallest of a heap of n. */
void heap_replace(int *heap, int n, const int *keys, int m) {
  for (int i = 0; i < m; i++) {
    int at = 0, child;
    while ((child = 2 * at + 1) < n) {
      if (child + 1 < n && heap[child + 1] < heap[child]) child++;
      if (keys[i] <= heap[child]) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = keys[i];
  }
}

void prefix_sums(const int *in, long *out, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = sum;
    sum += in[i];
  }
}

void counting_sort(const unsigned char *in, unsigned char *out, int n) {
  int place[256] = {0};
  for (int i = 0; i < n; i++) place[in[i]]++;
  for (int i = 0, sum = 0; i < 256; i++) {
    int count = place[i];
    place[i] = sum;
    sum += count;
  }
  for (int i = 0; i < n; i++) out[place[in[i]]++] = in[i];
}

void gcd_all(const unsigned *a, const unsigned *b, unsigned *g, int n) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], y = b[i];
    do {
      unsigned r = x % y;
      x = y;
      y = r;
    } while (y != 0);
    g[i] = x;
  }
}

void newton_roots(const double *a, double *root, int n) {
  for (int i = 0; i < n; i++) {
    double x = a[i], step;
    do {
      step = 0.5 * (x - a[i] / x);
      x -= step;
    } while (fabs(step) > 1e-9);
    root[i] = x;
  }
}
