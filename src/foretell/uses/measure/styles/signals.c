/* Filters and transforms as audio, radar and imaging codes write them. */
#include <math.h>
#include <stdint.h>

/* A finite filter: the history lies in front of the samples. */
void fir_filter(int n, int taps, const float *x, const float *h, float *y) {
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    const float *past = x + i + taps - 1;
    for (int k = 0; k < taps; k++) sum += h[k] * past[-k];
    y[i] = sum;
  }
}

/* Second-order sections in a row, each sample through all of them. */
void iir_cascade(int n, int sections, const double *x, double *y, double (*c)[5], double (*z)[2]) {
  for (int i = 0; i < n; i++) {
    double v = x[i];
    for (int s = 0; s < sections; s++) {
      double out = c[s][0] * v + z[s][0];
      z[s][0] = c[s][1] * v - c[s][3] * out + z[s][1];
      z[s][1] = c[s][2] * v - c[s][4] * out;
      v = out;
    }
    y[i] = v;
  }
}

/* Radix 2, in place, after the order of bits was reversed; halved in each stage. */
void fft_stages(int n, double *re, double *im, const double *wr, const double *wi) {
  for (int half = 1; half < n; half *= 2) {
    int step = n / (2 * half);
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        int a = start + k, b = a + half;
        double tr = re[b] * wr[k * step] - im[b] * wi[k * step];
        double ti = re[b] * wi[k * step] + im[b] * wr[k * step];
        re[b] = 0.5 * (re[a] - tr);
        im[b] = 0.5 * (im[a] - ti);
        re[a] = 0.5 * (re[a] + tr);
        im[a] = 0.5 * (im[a] + ti);
      }
  }
}

typedef struct {
  float re, im;
} cfloat;

/* Complex samples times a carrier that is turned from sample to sample, then summed by a factor. */
void mix_down(int n, int factor, const cfloat *in, cfloat *out, cfloat step) {
  cfloat phase = {1.0f, 0.0f};
  for (int i = 0; i < n; i++) {
    cfloat sum = {0.0f, 0.0f};
    for (int k = 0; k < factor; k++) {
      cfloat s = in[i * factor + k], turned;
      sum.re += s.re * phase.re - s.im * phase.im;
      sum.im += s.re * phase.im + s.im * phase.re;
      turned.re = phase.re * step.re - phase.im * step.im;
      turned.im = phase.re * step.im + phase.im * step.re;
      phase = turned;
    }
    out[i] = sum;
  }
}

/* The reversible 5/3 wavelet by lifting: rows of a picture. */
void lift_rows(int height, int width, int *data, int *line) {
  for (int y = 0; y < height; y++) {
    int *row = data + (long)y * width, half = width / 2;
    for (int x = 0; x < half - 1; x++) row[2 * x + 1] -= (row[2 * x] + row[2 * x + 2]) >> 1;
    for (int x = 1; x < half; x++) row[2 * x] += (row[2 * x - 1] + row[2 * x + 1] + 2) >> 2;
    for (int x = 0; x < half; x++) {
      line[x] = row[2 * x] & 0xffff;
      line[half + x] = row[2 * x + 1] & 0xffff;
    }
    for (int x = 0; x < 2 * half; x++) row[x] = line[x];
  }
}

/* Vertical pass of a separable blur in fixed point. */
void blur_columns(int height, int width, const uint8_t *in, uint8_t *out, const uint16_t *weight) {
  for (int y = 2; y < height - 2; y++)
    for (int x = 0; x < width; x++) {
      unsigned sum = 128;
      for (int k = -2; k <= 2; k++) sum += weight[k + 2] * in[(y + k) * width + x];
      out[y * width + x] = (uint8_t)(sum >> 8);
    }
}

/* Sums of a spectrum in overlapping bands. */
void band_energies(int frames, int bins, int bands, const float *power, const int *first, const int *count,
                   const float *weight, float *energy) {
  for (int t = 0; t < frames; t++) {
    const float *w = weight;
    for (int b = 0; b < bands; b++) {
      float sum = 1e-10f;
      for (int k = 0; k < count[b]; k++) sum += *w++ * power[t * bins + first[b] + k];
      energy[t * bands + b] = sum;
    }
  }
}

/* The nearest pixel under a turned grid, in fixed point. */
void rotate_nearest(int height, int width, const uint32_t *in, uint32_t *out, int dx, int dy) {
  for (int y = 0; y < height; y++) {
    int u = -y * dy, v = y * dx;
    for (int x = 0; x < width; x++) {
      int column = (u >> 16) & (width - 1), row = (v >> 16) & (height - 1);
      out[y * width + x] = in[row * width + column];
      u += dx;
      v += dy;
    }
  }
}

/* Adaptive filter: one error for each sample moves all weights. */
double lms_filter(int n, int taps, const double *x, const double *wanted, double *w, double mu) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double y = 0.0;
    for (int k = 0; k < taps; k++) y += w[k] * x[i + k];
    double e = wanted[i] - y;
    for (int k = 0; k < taps; k++) w[k] = 0.999 * w[k] + mu * e * x[i + k];
    total += e * e;
  }
  return total;
}
