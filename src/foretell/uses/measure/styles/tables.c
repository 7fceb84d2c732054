/* Texts, tables and dynamic programming as tools and services write them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Keys looked up in an open hash table. */
int hash_find(int n, const uint32_t *keys, const uint32_t *table, uint32_t mask) {
  int hits = 0;
  for (int i = 0; i < n; i++) {
    uint32_t at = (keys[i] * 2654435761u) >> 12 & mask;
    while (table[at] != 0 && table[at] != keys[i]) at = (at + 1) & mask;
    hits += table[at] == keys[i];
  }
  return hits;
}

struct entry {
  struct entry *next;
  uint32_t key, value;
};

/* Keys counted in chained buckets. */
long bucket_sum(int n, const uint32_t *keys, struct entry **bucket, uint32_t mask) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (struct entry *e = bucket[keys[i] & mask]; e; e = e->next)
      if (e->key == keys[i]) sum += e->value;
  return sum;
}

/* Occurrences of a word, compared from its first letter. */
int find_all(int n, const char *text, int m, const char *word) {
  int count = 0;
  for (int i = 0; i + m <= n; i++) {
    int k = 0;
    while (k < m && text[i + k] == word[k]) k++;
    count += k == m;
  }
  return count;
}

/* Bit-parallel search with up to 64 letters. */
int shift_and(int n, const unsigned char *text, const uint64_t *mask, uint64_t last) {
  uint64_t state = 0;
  int count = 0;
  for (int i = 0; i < n; i++) {
    state = (state << 1 | 1) & mask[text[i]];
    count += (state & last) != 0;
  }
  return count;
}

/* Edit distance with two rows. */
int edit_distance(int n, const char *a, int m, const char *b, int *before, int *now) {
  for (int j = 0; j <= m; j++) before[j] = j;
  for (int i = 1; i <= n; i++) {
    now[0] = i;
    for (int j = 1; j <= m; j++) {
      int best = before[j - 1] + (a[i - 1] != b[j - 1]);
      if (before[j] + 1 < best) best = before[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      now[j] = best;
    }
    int *row = before;
    before = now;
    now = row;
  }
  return before[m];
}

/* Lengths of runs of equal bytes. */
int run_lengths(int n, const unsigned char *in, unsigned char *out) {
  int at = 0;
  for (int i = 0; i < n;) {
    int run = 1;
    while (i + run < n && run < 255 && in[i + run] == in[i]) run++;
    out[at++] = (unsigned char)run;
    out[at++] = in[i];
    i += run;
  }
  return at;
}

/* Nearest centre of every point. */
void assign_centres(int n, int k, int d, const float *points, const float *centres, int *nearest) {
  for (int i = 0; i < n; i++) {
    float best = 1e30f;
    int which = 0;
    for (int c = 0; c < k; c++) {
      float distance = 0.0f;
      for (int j = 0; j < d; j++) {
        float t = points[i * d + j] - centres[c * d + j];
        distance += t * t;
      }
      if (distance < best) {
        best = distance;
        which = c;
      }
    }
    nearest[i] = which;
  }
}

/* Sums of the points of each centre. */
void sum_centres(int n, int d, const float *points, const int *nearest, float *sums, int *counts) {
  for (int i = 0; i < n; i++) {
    float *sum = sums + nearest[i] * d;
    for (int j = 0; j < d; j++) sum[j] += points[i * d + j];
    counts[nearest[i]]++;
  }
}

/* Products of eight-bit numbers with a scale for each block of 32. */
float dot_blocks(int blocks, const int8_t *a, const float *sa, const int8_t *b, const float *sb) {
  float sum = 0.0f;
  for (int i = 0; i < blocks; i++) {
    int part = 0;
    for (int k = 0; k < 32; k++) part += a[32 * i + k] * b[32 * i + k];
    sum += sa[i] * sb[i] * (float)part;
  }
  return sum;
}

/* Members that two bitmaps share. */
long shared_bits(int words, const uint64_t *a, const uint64_t *b) {
  long count = 0;
  for (int i = 0; i < words; i++) count += __builtin_popcountll(a[i] & b[i]);
  return count;
}

/* Best predecessor of every state, step by step. */
void best_paths(int steps, int states, const float *move, const float *emit, float *score, int *from) {
  for (int t = 1; t < steps; t++)
    for (int s = 0; s < states; s++) {
      float best = -1e30f;
      int which = 0;
      for (int p = 0; p < states; p++) {
        float v = score[(t - 1) * states + p] + move[p * states + s];
        if (v > best) {
          best = v;
          which = p;
        }
      }
      score[t * states + s] = best + emit[t * states + s];
      from[t * states + s] = which;
    }
}

/* Primes by crossing out. */
int sieve(int n, char *composite) {
  int count = 0;
  memset(composite, 0, n);
  for (int i = 2; i * i < n; i++)
    if (!composite[i])
      for (int j = i * i; j < n; j += i) composite[j] = 1;
  for (int i = 2; i < n; i++) count += !composite[i];
  return count;
}

/* Shortest paths through every node, integers. */
void all_paths(int n, int **d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
}

/* Distances of offsets turned into sums: a column store's decoder. */
void decode_deltas(int n, const uint8_t *in, int32_t *out, int32_t base) {
  for (int i = 0; i < n; i++) {
    base += (int32_t)(in[i] >> 1) ^ -(int32_t)(in[i] & 1);
    out[i] = base;
  }
}

/* Rows that pass a filter, written one behind the other. */
int select_rows(int n, const int32_t *key, int32_t limit, int32_t *chosen) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    chosen[count] = i;
    count += key[i] < limit;
  }
  return count;
}

/* Grouped sums of a column. */
void group_sums(int n, const uint16_t *group, const double *value, double *sum) {
  for (int i = 0; i < n; i++) sum[group[i]] += value[i];
}
