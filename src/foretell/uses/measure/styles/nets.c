/* Layers of neural networks in plain C. */
#include <float.h>
#include <math.h>
#include <string.h>

/* A convolution of three by three over channels. */
void conv_planes(int out_c, int in_c, int h, int w, const float* in, const float* k, float* out) {
    for (int o = 0; o < out_c; o++)
        for (int y = 0; y < h - 2; y++)
            for (int x = 0; x < w - 2; x++) {
                float sum = 0.0f;
                for (int c = 0; c < in_c; c++)
                    for (int j = 0; j < 3; j++)
                        for (int i = 0; i < 3; i++)
                            sum += in[(c * h + y + j) * w + x + i] * k[((o * in_c + c) * 3 + j) * 3 + i];
                out[(o * (h - 2) + y) * (w - 2) + x] = sum;
            }
}

/* Each channel by itself, channels innermost. */
void depthwise(int h, int w, int c, const float* in, const float* k, const float* bias, float* out) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float* to = out + (y * w + x) * c;
            for (int i = 0; i < c; i++) to[i] = bias[i];
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    const float *from = in + ((y + dy) * w + x + dx) * c, *weight = k + ((dy + 1) * 3 + dx + 1) * c;
                    for (int i = 0; i < c; i++) to[i] += from[i] * weight[i];
                }
            for (int i = 0; i < c; i++) to[i] = to[i] > 0 ? to[i] : 0;
        }
}

/* Maxima of two by two, and where they were. */
void pool_two(int h, int w, const float* in, float* out, int* from) {
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < w / 2; x++) {
            int best = 2 * y * w + 2 * x;
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 2; i++) {
                    int at = (2 * y + j) * w + 2 * x + i;
                    if (in[at] > in[best]) best = at;
                }
            out[y * (w / 2) + x] = in[best];
            from[y * (w / 2) + x] = best;
        }
}

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

/* A step of a recurrent cell: four gates by one product. */
void lstm_cell(int n, const float* weights, const float* in, float* gates, float* cell, float* hidden) {
    for (int g = 0; g < 4 * n; g++) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++) sum += weights[g * n + i] * in[i];
        gates[g] = sum;
    }
    for (int i = 0; i < n; i++) {
        float forget = sigmoid(gates[i]), enter = sigmoid(gates[n + i]), leave = sigmoid(gates[2 * n + i]);
        cell[i] = forget * cell[i] + enter * tanhf(gates[3 * n + i]);
        hidden[i] = leave * tanhf(cell[i]);
    }
}

/* Mean and variance of each channel, and the channel normalised by them. */
void batch_norm(int images, int channels, int size, const float* in, float* out, const float* scale,
                const float* shift) {
    for (int c = 0; c < channels; c++) {
        double sum = 0, squares = 0;
        for (int n = 0; n < images; n++)
            for (int i = 0; i < size; i++) {
                float v = in[(n * channels + c) * size + i];
                sum += v;
                squares += (double)v * v;
            }
        double mean = sum / (images * size), variance = squares / (images * size) - mean * mean;
        float factor = scale[c] / sqrtf((float)variance + 1e-5f);
        for (int n = 0; n < images; n++)
            for (int i = 0; i < size; i++)
                out[(n * channels + c) * size + i] =
                    (in[(n * channels + c) * size + i] - (float)mean) * factor + shift[c];
    }
}

/* Attention of one query, with the maximum renewed on the way. */
void attend_online(int length, int d, const float* q, const float* k, const float* v, float* out) {
    float most = -FLT_MAX, total = 0.0f;
    memset(out, 0, d * sizeof *out);
    for (int t = 0; t < length; t++) {
        float score = 0.0f;
        for (int i = 0; i < d; i++) score += q[i] * k[t * d + i];
        score *= 0.125f;
        float now = score > most ? score : most, old = expf(most - now), p = expf(score - now);
        total = total * old + p;
        for (int i = 0; i < d; i++) out[i] = out[i] * old + p * v[t * d + i];
        most = now;
    }
    for (int i = 0; i < d; i++) out[i] /= total;
}

/* The k largest numbers, in order. */
void largest(int n, int k, const float* x, float* best, int* index) {
    for (int j = 0; j < k; j++) {
        best[j] = -FLT_MAX;
        index[j] = -1;
    }
    for (int i = 0; i < n; i++) {
        if (x[i] <= best[k - 1]) continue;
        int j = k - 1;
        for (; j > 0 && best[j - 1] < x[i]; j--) {
            best[j] = best[j - 1];
            index[j] = index[j - 1];
        }
        best[j] = x[i];
        index[j] = i;
    }
}

/* Windows of a picture as columns of a matrix. */
void windows_to_columns(int c, int h, int w, const float* in, float* out) {
    for (int p = 0; p < c; p++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                float* row = out + ((p * 3 + j) * 3 + i) * h * w;
                for (int y = 0; y < h; y++)
                    for (int x = 0; x < w; x++) {
                        int sy = y + j - 1, sx = x + i - 1;
                        row[y * w + x] = sy >= 0 && sy < h && sx >= 0 && sx < w ? in[(p * h + sy) * w + sx] : 0.0f;
                    }
            }
}
