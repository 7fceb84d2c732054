/* Blocks of quantised numbers, and small layers around them. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define QK 32
typedef struct {
  float d;
  uint8_t qs[QK / 2];
} block_q4;
typedef struct {
  float d, m;
  uint8_t qs[QK / 2];
} block_q4m;
typedef struct {
  float d;
  int8_t qs[QK];
} block_q8;

void dequantise_q4(const block_q4 *x, float *y, int64_t k) {
  const int nb = k / QK;
  for (int i = 0; i < nb; i++) {
    const float d = x[i].d;
    for (int j = 0; j < QK / 2; ++j) {
      const int x0 = (x[i].qs[j] & 0x0F) - 8;
      const int x1 = (x[i].qs[j] >> 4) - 8;
      y[i * QK + j] = x0 * d;
      y[i * QK + j + QK / 2] = x1 * d;
    }
  }
}

void dequantise_q4m(const block_q4m *x, float *y, int64_t k) {
  const int nb = k / QK;
  for (int i = 0; i < nb; i++)
    for (int j = 0; j < QK / 2; ++j) {
      y[i * QK + j] = (x[i].qs[j] & 0x0F) * x[i].d + x[i].m;
      y[i * QK + j + QK / 2] = (x[i].qs[j] >> 4) * x[i].d + x[i].m;
    }
}

void dequantise_q8(const block_q8 *x, float *y, int64_t k) {
  for (int i = 0; i < k / QK; i++)
    for (int j = 0; j < QK; ++j) y[i * QK + j] = x[i].qs[j] * x[i].d;
}

void quantise_q8(const float *x, block_q8 *y, int64_t k) {
  for (int i = 0; i < k / QK; i++) {
    float amax = 0.0f;
    for (int j = 0; j < QK; j++) {
      const float v = x[i * QK + j];
      amax = amax > fabsf(v) ? amax : fabsf(v);
    }
    const float d = amax / 127, id = d ? 1.0f / d : 0.0f;
    y[i].d = d;
    for (int j = 0; j < QK; ++j) y[i].qs[j] = (int8_t)roundf(x[i * QK + j] * id);
  }
}

float dot_q4_q8(int n, const block_q4 *x, const block_q8 *y) {
  const int nb = n / QK;
  float sumf = 0;
  for (int i = 0; i < nb; i++) {
    int sumi = 0;
    for (int j = 0; j < QK / 2; ++j) {
      const int v0 = (x[i].qs[j] & 0x0F) - 8;
      const int v1 = (x[i].qs[j] >> 4) - 8;
      sumi += v0 * y[i].qs[j] + v1 * y[i].qs[j + QK / 2];
    }
    sumf += sumi * x[i].d * y[i].d;
  }
  return sumf;
}

float dot_q8_q8(int n, const block_q8 *x, const block_q8 *y) {
  float sumf = 0;
  for (int i = 0; i < n / QK; i++) {
    int sumi = 0;
    for (int j = 0; j < QK; j++) sumi += x[i].qs[j] * y[i].qs[j];
    sumf += sumi * (x[i].d * y[i].d);
  }
  return sumf;
}

/* A matrix of quantised rows times a vector. */
void rows_q8(int rows, int cols, const block_q8 *w, const block_q8 *x, float *y) {
  for (int r = 0; r < rows; r++) y[r] = dot_q8_q8(cols, w + (int64_t)r * (cols / QK), x);
}

void rms_norm(int n, float *x, float *y, const float *w, float eps) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += (double)(x[i] * x[i]);
  const float scale = 1.0f / sqrtf(sum / n + eps);
  for (int i = 0; i < n; i++) y[i] = x[i] * scale * w[i];
}

void silu_gate(int n, float *y, const float *gate, const float *up) {
  for (int i = 0; i < n; i++) y[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}

void rotate_pairs(int heads, int size, float *x, const float *cosine, const float *sine) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < size; i += 2) {
      float a = x[h * size + i], b = x[h * size + i + 1];
      x[h * size + i] = a * cosine[i / 2] - b * sine[i / 2];
      x[h * size + i + 1] = a * sine[i / 2] + b * cosine[i / 2];
    }
}

/* Half precision to single, by bits. */
void widen_halves(int n, const uint16_t *x, float *y) {
  for (int i = 0; i < n; i++) {
    uint32_t h = x[i], sign = (h & 0x8000u) << 16, rest = (h & 0x7fffu) << 13, bits;
    bits = sign | (rest ? rest + (112u << 23) : 0);
    memcpy(&y[i], &bits, 4);
  }
}

int argmax_logits(int n, const float *x) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[best]) best = i;
  return best;
}
