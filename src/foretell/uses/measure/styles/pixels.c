/* Pictures, video and transforms as codecs and viewers write them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Cosine transform of blocks of eight by eight, rows and then columns. */
void dct_blocks(int blocks, const int16_t* in, float* out, const float c[8][8]) {
    for (int b = 0; b < blocks; b++) {
        float half[8][8];
        const int16_t* from = in + 64 * b;
        float* to = out + 64 * b;
        for (int y = 0; y < 8; y++)
            for (int u = 0; u < 8; u++) {
                float sum = 0.0f;
                for (int x = 0; x < 8; x++) sum += c[u][x] * from[8 * y + x];
                half[y][u] = sum;
            }
        for (int u = 0; u < 8; u++)
            for (int v = 0; v < 8; v++) {
                float sum = 0.0f;
                for (int y = 0; y < 8; y++) sum += c[v][y] * half[y][u];
                to[8 * v + u] = sum;
            }
    }
}

/* The place of a block of 16 by 16 in a frame, by the least sum of differences. */
int motion_search(int range, int stride, const uint8_t* frame, const uint8_t* block) {
    int best = 1 << 30, place = 0;
    for (int dy = 0; dy < range; dy++)
        for (int dx = 0; dx < range; dx++) {
            const uint8_t* at = frame + dy * stride + dx;
            int sad = 0;
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++) sad += abs(at[y * stride + x] - block[16 * y + x]);
            if (sad < best) {
                best = sad;
                place = dy * range + dx;
            }
        }
    return place;
}

/* A filter that keeps edges: weights by distance and by difference. */
void bilateral(int h, int w, const float* in, float* out, const float* near, float sharp) {
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            float sum = 0.0f, total = 0.0f, centre = in[y * w + x];
            for (int j = -2; j <= 2; j++)
                for (int i = -2; i <= 2; i++) {
                    float v = in[(y + j) * w + x + i], d = v - centre;
                    float weight = near[5 * (j + 2) + i + 2] * expf(-sharp * d * d);
                    sum += weight * v;
                    total += weight;
                }
            out[y * w + x] = sum / total;
        }
}

/* Edges that are a maximum across their direction. */
void thin_edges(int h, int w, const float* gx, const float* gy, const float* size, uint8_t* out) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int at = y * w + x;
            float ax = fabsf(gx[at]), ay = fabsf(gy[at]), a, b;
            if (ay < 0.4142f * ax) {
                a = size[at - 1];
                b = size[at + 1];
            } else if (ax < 0.4142f * ay) {
                a = size[at - w];
                b = size[at + w];
            } else if (gx[at] * gy[at] > 0) {
                a = size[at - w - 1];
                b = size[at + w + 1];
            } else {
                a = size[at - w + 1];
                b = size[at + w - 1];
            }
            out[at] = size[at] > a && size[at] >= b ? 255 : 0;
        }
}

/* Iterations until a point of the plane leaves a circle. */
void escape_times(int h, int w, int most, uint16_t* out) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double cr = 3.0 * x / w - 2.0, ci = 2.0 * y / h - 1.0, zr = 0, zi = 0;
            int k = 0;
            while (k < most && zr * zr + zi * zi <= 4.0) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                k++;
            }
            out[y * w + x] = (uint16_t)k;
        }
}

static uint8_t clamped(int v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v; }

/* Luma and chroma of half width to red, green and blue. */
void yuv_to_rgb(int n, const uint8_t* luma, const uint8_t* u, const uint8_t* v, uint8_t* rgb) {
    for (int i = 0; i < n; i++) {
        int c = 298 * (luma[i] - 16), d = u[i / 2] - 128, e = v[i / 2] - 128;
        rgb[3 * i] = clamped((c + 409 * e + 128) >> 8);
        rgb[3 * i + 1] = clamped((c - 100 * d - 208 * e + 128) >> 8);
        rgb[3 * i + 2] = clamped((c + 516 * d + 128) >> 8);
    }
}

/* Hadamard's transform in place. */
void walsh_transform(int n, double* x) {
    for (int half = 1; half < n; half *= 2)
        for (int i = 0; i < n; i += 2 * half)
            for (int j = i; j < i + half; j++) {
                double a = x[j], b = x[j + half];
                x[j] = 0.70710678118654752 * (a + b);
                x[j + half] = 0.70710678118654752 * (a - b);
            }
}

/* Two levels of gray, the error passed on to pixels that come later. */
void dither(int h, int w, const uint8_t* in, uint8_t* out, int* error) {
    memset(error, 0, 2 * (w + 2) * sizeof *error);
    for (int y = 0; y < h; y++) {
        int *now = error + (y & 1) * (w + 2) + 1, *next = error + (~y & 1) * (w + 2) + 1;
        for (int x = -1; x <= w; x++) next[x] = 0;
        for (int x = 0; x < w; x++) {
            int v = in[y * w + x] + now[x] / 16;
            out[y * w + x] = v > 127 ? 255 : 0;
            int e = v - out[y * w + x];
            now[x + 1] += 7 * e;
            next[x - 1] += 3 * e;
            next[x] += 5 * e;
            next[x + 1] += e;
        }
    }
}

/* Regions of equal colour: every pixel gets the smallest index of its tree. */
int join_regions(int h, int w, const uint8_t* in, int* parent) {
    int roots = 0;
    for (int i = 0; i < h * w; i++) parent[i] = i;
    for (int y = 0; y < h; y++)
        for (int x = 1; x < w; x++) {
            int a = y * w + x, b = a - 1;
            if (in[a] != in[b]) continue;
            while (parent[a] != a) a = parent[a];
            while (parent[b] != b) b = parent[b];
            if (a < b) parent[b] = a;
            else parent[a] = b;
        }
    for (int i = 0; i < h * w; i++) roots += parent[i] == i;
    return roots;
}
