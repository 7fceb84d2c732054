/* Small kernels in the styles of public libraries, all of whose changes are predicted and measured: layers of networks,
   filters of images, scans, tables, signals. They and their halves were fixed before anything of them was predicted. */

/* n = 256
   data: float x[64*n], out[64*n], weight[n], bias[n]
   call: layer_norm(n, x, out, weight, bias) */
void layer_norm(int n, float *x, float *out, float *weight, float *bias) {
    for (int t = 0; t < 64; t++) {
        float mean = 0.0f, var = 0.0f;
        for (int i = 0; i < n; i++)
            mean += x[t * n + i];
        mean = mean / n;
        for (int i = 0; i < n; i++) {
            float d = x[t * n + i] - mean;
            var += d * d;
        }
        float scale = 1.0f / (var / n + 1.0f);
        for (int i = 0; i < n; i++)
            out[t * n + i] = (x[t * n + i] - mean) * scale * weight[i] + bias[i];
    }
}

/* n = 192
   data: float inp[64*n], weight[n*n], out[64*n], bias[n]
   call: dense_forward(n, inp, weight, bias, out) */
void dense_forward(int n, const float *inp, const float *weight, const float *bias, float *out) {
    for (int t = 0; t < 64; t++)
        for (int o = 0; o < n; o++) {
            float val = bias[o];
            for (int i = 0; i < n; i++)
                val += inp[t * n + i] * weight[o * n + i];
            out[t * n + o] = val;
        }
}

/* n = 160
   data: float dout[64*n], weight[n*n], dinp[64*n]
   call: dense_backward(n, dout, weight, dinp) */
void dense_backward(int n, const float *dout, const float *weight, float *dinp) {
    for (int t = 0; t < 64; t++)
        for (int i = 0; i < n; i++)
            for (int o = 0; o < n; o++)
                dinp[t * n + i] += weight[o * n + i] * dout[t * n + o];
}

/* n = 128
   data: float q[n*64], k[n*64], att[n*n]
   call: causal_scores(n, q, k, att) */
void causal_scores(int n, const float *q, const float *k, float *att) {
    for (int t = 0; t < n; t++)
        for (int s = 0; s <= t; s++) {
            float dot = 0.0f;
            for (int d = 0; d < 64; d++)
                dot += q[t * 64 + d] * k[s * 64 + d];
            att[t * n + s] = dot * 0.125f;
        }
}

/* n = 128
   data: float att[n*n], v[n*64], out[n*64]
   call: weighted_values(n, att, v, out) */
void weighted_values(int n, const float *att, const float *v, float *out) {
    for (int t = 0; t < n; t++)
        for (int d = 0; d < 64; d++) {
            float sum = 0.0f;
            for (int s = 0; s <= t; s++)
                sum += att[t * n + s] * v[s * 64 + d];
            out[t * 64 + d] = sum;
        }
}

/* n = 300000
   data: float grad[n], m[n], v[n], w[n]
   call: adam_step(n, grad, m, v, w) */
void adam_step(int n, float *grad, float *m, float *v, float *w) {
    for (int i = 0; i < n; i++) {
        m[i] = 0.9f * m[i] + 0.1f * grad[i];
        v[i] = 0.99f * v[i] + 0.01f * grad[i] * grad[i];
        w[i] -= 0.001f * m[i] / (v[i] + 1e-3f);
    }
}

/* n = 4096
   data: byte q[n*32]; float scale[n], x[32], out[n]
   call: dequantised_dot(n, q, scale, x, out) */
void dequantised_dot(int n, const unsigned char *q, const float *scale, const float *x, float *out) {
    for (int b = 0; b < n; b++) {
        float sum = 0.0f;
        for (int i = 0; i < 32; i++)
            sum += (q[b * 32 + i] - 128) * x[i];
        out[b] = sum * scale[b];
    }
}

/* n = 56
   data: float image[16*58*58], tap[16*9], out[16*56*56]
   call: depthwise(n, image, tap, out) */
void depthwise(int n, const float *image, const float *tap, float *out) {
    for (int c = 0; c < 16; c++)
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++) {
                float acc = 0.0f;
                for (int dy = 0; dy < 3; dy++)
                    for (int dx = 0; dx < 3; dx++)
                        acc += tap[c * 9 + dy * 3 + dx] * image[(c * 58 + y + dy) * 58 + x + dx];
                out[(c * 56 + y) * 56 + x] = acc;
            }
}

/* n = 112
   data: float in[32*n*n], out[8*n*n]
   call: max_pool(n, in, out) */
void max_pool(int n, const float *in, float *out) {
    for (int y = 0; y < n / 2; y++)
        for (int x = 0; x < n / 2; x++)
            for (int c = 0; c < 32; c++) {
                const float *p = in + (c * n + 2 * y) * n + 2 * x;
                float a = p[0] > p[1] ? p[0] : p[1], b = p[n] > p[n + 1] ? p[n] : p[n + 1];
                out[(c * (n / 2) + y) * (n / 2) + x] = a > b ? a : b;
            }
}

/* n = 64
   data: float x[32*n*n], mean[32], var[32], out[32*n*n]
   call: batch_norm(n, x, mean, var, out) */
void batch_norm(int n, const float *x, const float *mean, const float *var, float *out) {
    for (int p = 0; p < n * n; p++)
        for (int c = 0; c < 32; c++)
            out[c * n * n + p] = (x[c * n * n + p] - mean[c]) / (var[c] + 0.01f);
}

/* n = 800
   data: byte src[n*n]; byte dst[n*n]
   call: box_rows(n, src, dst) */
void box_rows(int n, const unsigned char *src, unsigned char *dst) {
    for (int y = 0; y < n; y++)
        for (int x = 2; x < n - 2; x++)
            dst[y * n + x] = (src[y * n + x - 2] + src[y * n + x - 1] + 2 * src[y * n + x] + src[y * n + x + 1]
                + src[y * n + x + 2]) / 6;
}

/* n = 900
   data: int hist[256], lut[256]; byte src[n*n]; byte dst[n*n]
   call: equalise(n, src, lut, dst) */
void equalise(int n, const unsigned char *src, const int *lut, unsigned char *dst) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            dst[y * n + x] = (unsigned char)lut[src[y * n + x]];
}

/* n = 700
   data: float rgb[n*n*3], yuv[n*n*3]
   call: to_yuv(n, rgb, yuv) */
void to_yuv(int n, const float *rgb, float *yuv) {
    for (int i = 0; i < n * n; i++) {
        yuv[3 * i] = 0.3f * rgb[3 * i] + 0.6f * rgb[3 * i + 1] + 0.1f * rgb[3 * i + 2];
        yuv[3 * i + 1] = 0.5f * (rgb[3 * i + 2] - yuv[3 * i]);
        yuv[3 * i + 2] = 0.7f * (rgb[3 * i] - yuv[3 * i]);
    }
}

/* n = 500
   data: float a[n*n], out[n*n]
   call: erode_columns(n, a, out) */
void erode_columns(int n, const float *a, float *out) {
    for (int x = 0; x < n; x++)
        for (int y = 1; y < n - 1; y++) {
            float m = a[(y - 1) * n + x];
            m = a[y * n + x] < m ? a[y * n + x] : m;
            m = a[(y + 1) * n + x] < m ? a[(y + 1) * n + x] : m;
            out[y * n + x] = m;
        }
}

/* n = 1024
   data: double x[n*n]
   call: prefix_columns(n, x) */
void prefix_columns(int n, double *x) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            x[i * n + j] = 0.5 * x[i * n + j] + 0.5 * x[(i - 1) * n + j];
}

/* n = 30000
   data: float price[n], weight[n], ema[n], vol[n]
   call: moving_average(n, price, weight, ema, vol) */
void moving_average(int n, float *price, float *weight, float *ema, float *vol) {
    for (int i = 1; i < n; i++) {
        ema[i] = 0.9f * ema[i - 1] + 0.1f * price[i];
        vol[i] = weight[i] * (price[i] - price[i - 1]) / 3.5f;
    }
}

/* n = 100000
   data: double table[1024], out[n]; int key[n]
   call: table_scale(n, table, key, out) */
void table_scale(int n, const double *table, const int *key, double *out) {
    for (int i = 0; i < n; i++)
        out[i] = table[key[i] & 1023] / 7.0 + out[i] * 0.5;
}

/* n = 64
   data: double re[n*n], im[n*n], c[n], s[n]
   call: naive_dft(n, re, im, c, s) */
void naive_dft(int n, double *re, double *im, const double *c, const double *s) {
    for (int row = 1; row < n; row++)
        for (int k = 0; k < n; k++) {
            double a = 0.0, b = 0.0;
            for (int t = 0; t < n; t++) {
                a += re[t] * c[t] - im[t] * s[t];
                b += re[t] * s[t] + im[t] * c[t];
            }
            re[row * n + k] = 0.01 * a;
            im[row * n + k] = 0.01 * b;
        }
}

/* n = 2000
   data: float x[n*16], y[2000]; double acc[16]
   call: mixed_sums(n, x, y, acc) */
void mixed_sums(int n, const float *x, const float *y, double *acc) {
    for (int f = 0; f < 16; f++)
        for (int i = 0; i < n; i++)
            acc[f] += (double)x[i * 16 + f] * y[i];
}

/* n = 350
   data: double a[n*n], b[n*n], c[n*n]
   call: mixed_product(n, a, b, c) */
void mixed_product(int n, const double *a, const double *b, double *c) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* n = 1200
   data: double x[n*3], d[n*32]; double landmark[96]
   call: squared_distances(n, x, landmark, d) */
void squared_distances(int n, const double *x, const double *landmark, double *d) {
    for (int l = 0; l < 32; l++)
        for (int i = 0; i < n; i++) {
            d[i * 32 + l] = 0.0;
            for (int k = 0; k < 3; k++)
                d[i * 32 + l] += (x[i * 3 + k] - landmark[l * 3 + k]) * (x[i * 3 + k] - landmark[l * 3 + k]);
        }
}

/* n = 30
   data: double d[n*n*n*n], j2[n*n], p[n*n]
   call: coulomb(n, d, p, j2) */
void coulomb(int n, const double *d, const double *p, double *j2) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int e = 0; e < n; e++)
                    j2[c * n + e] += d[((a * n + b) * n + c) * n + e] * p[a * n + b];
}

/* n = 3000000
   data: float x[n], y[n], z[n]
   call: three_passes(n, x, y, z) */
void three_passes(int n, float *x, float *y, float *z) {
    for (int i = 0; i < n; i++)
        y[i] = 0.5f * x[i] + 1.0f;
    for (int i = 0; i < n; i++)
        z[i] = y[i] * y[i];
    for (int i = 0; i < n; i++)
        x[i] = z[i] > 2.0f ? 2.0f : z[i];
}
