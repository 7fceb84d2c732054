/* Filters of images. */
#include <stdint.h>
#include <stdlib.h>

typedef unsigned char byte;

void gauss3(const byte *src, byte *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const byte *p = src + y * w + x;
      int s = p[-w - 1] + 2 * p[-w] + p[-w + 1] + 2 * p[-1] + 4 * p[0] + 2 * p[1] + p[w - 1] + 2 * p[w] + p[w + 1];
      dst[y * w + x] = (byte)((s + 8) >> 4);
    }
}

void sobel(const byte *src, int16_t *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const byte *p = src + y * w + x;
      int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1];
      int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[1 - w];
      dst[y * w + x] = (int16_t)(abs(gx) + abs(gy));
    }
}

/* A kernel of any odd size, whose weights are given. */
void convolve(const float *src, float *dst, int w, int h, const float *kernel, int size) {
  int half = size / 2;
  for (int y = half; y < h - half; y++)
    for (int x = half; x < w - half; x++) {
      float sum = 0;
      for (int ky = 0; ky < size; ky++)
        for (int kx = 0; kx < size; kx++) sum += kernel[ky * size + kx] * src[(y + ky - half) * w + x + kx - half];
      dst[y * w + x] = sum;
    }
}

void box_running(const byte *src, byte *dst, int w, int h, int r) {
  int scale = 65536 / (2 * r + 1);
  for (int y = 0; y < h; y++) {
    const byte *s = src + y * w;
    byte *d = dst + y * w;
    int sum = 0;
    for (int x = 0; x < 2 * r + 1; x++) sum += s[x];
    for (int x = r; x < w - r - 1; x++) {
      d[x] = (byte)((sum * scale) >> 16);
      sum += s[x + r + 1] - s[x - r];
    }
  }
}

#define ORDER(a, b) { byte lo = a < b ? a : b, hi = a < b ? b : a; a = lo; b = hi; }

void median3(const byte *src, byte *dst, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const byte *p = src + y * w + x;
      byte a = p[-w - 1], b = p[-w], c = p[-w + 1], d = p[-1], e = p[0], f = p[1], g = p[w - 1], i = p[w], j = p[w + 1];
      ORDER(b, c) ORDER(e, f) ORDER(i, j) ORDER(a, b) ORDER(d, e) ORDER(g, i) ORDER(b, c) ORDER(e, f) ORDER(i, j)
      ORDER(a, d) ORDER(f, j) ORDER(e, i) ORDER(d, g) ORDER(b, e) ORDER(c, f) ORDER(e, i) ORDER(e, c) ORDER(g, e)
      ORDER(e, c)
      dst[y * w + x] = e;
    }
}

void gray(const byte *rgb, byte *out, int n) {
  for (int i = 0; i < n; i++) out[i] = (byte)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
}

void blend(const uint32_t *over, uint32_t *under, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t a = over[i] >> 24, result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      uint32_t o = (over[i] >> shift) & 255, u = (under[i] >> shift) & 255;
      result |= ((o * a + u * (255 - a)) / 255) << shift;
    }
    under[i] = result | 0xff000000u;
  }
}

void resize_bilinear(const byte *src, int sw, int sh, byte *dst, int dw, int dh) {
  for (int y = 0; y < dh; y++) {
    float fy = y * (sh - 1) / (float)dh;
    int y0 = (int)fy;
    float wy = fy - y0;
    for (int x = 0; x < dw; x++) {
      float fx = x * (sw - 1) / (float)dw;
      int x0 = (int)fx;
      float wx = fx - x0;
      const byte *p = src + y0 * sw + x0;
      float top = p[0] + wx * (p[1] - p[0]), bottom = p[sw] + wx * (p[sw + 1] - p[sw]);
      dst[y * dw + x] = (byte)(top + wy * (bottom - top));
    }
  }
}

void integral_image(const byte *src, uint32_t *sum, int w, int h) {
  for (int x = 0; x < w; x++) sum[x] = (x ? sum[x - 1] : 0) + src[x];
  for (int y = 1; y < h; y++) {
    uint32_t row = 0;
    for (int x = 0; x < w; x++) {
      row += src[y * w + x];
      sum[y * w + x] = sum[(y - 1) * w + x] + row;
    }
  }
}

void erode(byte **in, byte **out, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      byte low = 255;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (in[y + dy][x + dx] < low) low = in[y + dy][x + dx];
      out[y][x] = low;
    }
}

void equalise(const byte *src, byte *dst, int n, unsigned *hist) {
  for (int i = 0; i < 256; i++) hist[i] = 0;
  for (int i = 0; i < n; i++) hist[src[i]]++;
  for (int i = 1; i < 256; i++) hist[i] += hist[i - 1];
  for (int i = 0; i < n; i++) dst[i] = (byte)((unsigned long)hist[src[i]] * 255 / n);
}
