/* Small kernels in the styles of public codes, whose best and worst predicted changes are measured: records, flattened
   arrays, rows behind pointers, bytes and floats. They and their halves were fixed before anything of them was predicted. */

/* n = 1024
   data: float in[n*n], out[n*n], tap[25]
   call: blur_flat(n, in, out, tap) */
void blur_flat(int n, const float *in, float *out, const float *tap) {
    for (int x = 2; x < n - 2; x++)
        for (int y = 2; y < n - 2; y++) {
            float acc = 0.0f;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    acc += tap[(dy + 2) * 5 + dx + 2] * in[(y + dy) * n + x + dx];
            out[y * n + x] = acc;
        }
}

/* n = 700
   data: struct cell now[n*n], then[n*n]
   call: cell_update(n, now, then) */
struct cell { double rho, u, v, e; };
void cell_update(int n, struct cell *now, struct cell *then) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int c = i * n + j;
            then[c].rho = 0.25 * (now[c - n].rho + now[c + n].rho + now[c - 1].rho + now[c + 1].rho);
            then[c].e = 0.25 * (now[c - n].e + now[c + n].e + now[c - 1].e + now[c + 1].e);
        }
}

/* n = 600
   data: rows a[n][n], b[n][n], c[n][n]
   call: row_product(n, a, b, c) */
void row_product(int n, double **a, double **b, double **c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0.0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

/* n = 200000
   data: float x[n], h[64], y[n]
   call: fir(n, x, h, y) */
void fir(int n, const float *x, const float *h, float *y) {
    for (int t = 0; t < n - 64; t++) {
        float s = 0.0f;
        for (int k = 0; k < 64; k++)
            s += h[k] * x[t + k];
        y[t] = s;
    }
}

/* n = 4000
   data: double x[n*64], y[n*64], state[128]
   call: biquads(n, x, y, state) */
void biquads(int n, const double *x, double *y, double *state) {
    for (int channel = 0; channel < 64; channel++)
        for (int t = 0; t < n; t++) {
            double in = x[t * 64 + channel];
            double out = 0.2 * in + state[2 * channel];
            state[2 * channel] = 0.4 * in - 0.3 * out + state[2 * channel + 1];
            state[2 * channel + 1] = 0.2 * in - 0.1 * out;
            y[t * 64 + channel] = out;
        }
}

/* n = 40000
   data: double val[n*9], x[n], y[n]; int col[n*9]
   call: ell_spmv(n, val, col, x, y) */
void ell_spmv(int n, const double *val, const int *col, const double *x, double *y) {
    for (int row = 0; row < n; row++) {
        double s = 0.0;
        for (int k = 0; k < 9; k++)
            s += val[k * n + row] * x[col[k * n + row]];
        y[row] = s;
    }
}

/* n = 40000
   data: double val[n*9], x[n], y[n]; int col[n*9]
   call: ell_rows(n, val, col, x, y) */
void ell_rows(int n, const double *restrict val, const int *restrict col, const double *restrict x, double *restrict y) {
    for (int k = 0; k < 9; k++)
        for (int row = 0; row < n; row++)
            y[row] += val[row * 9 + k] * x[col[row * 9 + k]];
}

/* n = 1500
   data: int a[n], b[n], score[n*n]
   call: alignment(n, a, b, score) */
void alignment(int n, const int *a, const int *b, int *score) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
            int diagonal = score[(i - 1) * n + j - 1] + (a[i] == b[j] ? 2 : -1);
            int up = score[(i - 1) * n + j] - 1, left = score[i * n + j - 1] - 1;
            int most = diagonal > up ? diagonal : up;
            score[i * n + j] = most > left ? most : left;
        }
}

/* n = 1200
   data: byte grey[n*n]; int bins[n*256]
   call: row_histograms(n, grey, bins) */
void row_histograms(int n, const unsigned char *grey, int *bins) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            bins[y * 256 + grey[y * n + x]] += 1;
}

/* n = 1000
   data: float red[n*n], green[n*n], blue[n*n], luma[n*n]
   call: luminance(n, red, green, blue, luma) */
void luminance(int n, const float *red, const float *green, const float *blue, float *luma) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            luma[y * n + x] = 0.299f * red[y * n + x] + 0.587f * green[y * n + x] + 0.114f * blue[y * n + x];
}

/* n = 1000
   data: byte rgb[n*n*3], grey[n*n]
   call: grey_bytes(n, rgb, grey) */
void grey_bytes(int n, const unsigned char *restrict rgb, unsigned char *restrict grey) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            const unsigned char *p = rgb + 3 * (y * n + x);
            grey[y * n + x] = (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
        }
}

/* n = 1500
   data: struct body b[n]
   call: gravity(n, b) */
struct body { double x, y, z, m, ax, ay, az, pad; };
void gravity(int n, struct body *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
            double f = b[j].m / (dx * dx + dy * dy + dz * dz + 0.01);
            b[i].ax += f * dx;
            b[i].ay += f * dy;
            b[i].az += f * dz;
        }
}

/* n = 1400
   data: float px[n], py[n], pz[n], pot[n]
   call: potential(n, px, py, pz, pot) */
void potential(int n, const float *px, const float *py, const float *pz, float *pot) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = px[i] - px[j], dy = py[i] - py[j], dz = pz[i] - pz[j];
            sum += 1.0f / (dx * dx + dy * dy + dz * dz + 0.5f);
        }
        pot[i] = sum;
    }
}

/* n = 500
   data: double a[n*n]
   call: lu_flat(n, a) */
void lu_flat(int n, double *a) {
    for (int k = 0; k < n; k++)
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j] * 0.001;
}

/* n = 700
   data: double data[n*n], mean[n], var[n]
   call: column_moments(n, data, mean, var) */
void column_moments(int n, const double *data, double *mean, double *var) {
    for (int j = 0; j < n; j++) {
        double s = 0.0, q = 0.0;
        for (int i = 0; i < n; i++) {
            s += data[i * n + j];
            q += data[i * n + j] * data[i * n + j];
        }
        mean[j] = s / n;
        var[j] = q / n - s / n * s / n;
    }
}

/* n = 400
   data: double data[n*n], corr[n*n]
   call: gram(n, data, corr) */
void gram(int n, const double *data, double *corr) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            corr[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                corr[i * n + j] += data[k * n + i] * data[k * n + j];
        }
}

/* n = 48
   data: double t[n*n*n], m[n*n], r[n*n*n]
   call: mode_product(n, t, m, r) */
void mode_product(int n, const double *t, const double *m, double *r) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++) {
                double s = 0.0;
                for (int d = 0; d < n; d++)
                    s += t[(a * n + d) * n + c] * m[d * n + b];
                r[(a * n + b) * n + c] = s;
            }
}

/* n = 40
   data: double v[n*n*n*n], w[n*n*n*n], e[n*n]
   call: exchange(n, v, w, e) */
void exchange(int n, const double *v, const double *w, double *e) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    e[i * n + j] += v[((i * n + a) * n + j) * n + b] * w[((i * n + b) * n + j) * n + a];
}

/* n = 100
   data: double u[n*n*n], lap[n*n*n]
   call: laplace_flat(n, u, lap) */
void laplace_flat(int n, const double *u, double *lap) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                lap[i + n * (j + n * k)] = u[i + 1 + n * (j + n * k)] + u[i - 1 + n * (j + n * k)]
                    + u[i + n * (j + 1 + n * k)] + u[i + n * (j - 1 + n * k)]
                    + u[i + n * (j + n * (k + 1))] + u[i + n * (j + n * (k - 1))] - 6.0 * u[i + n * (j + n * k)];
}

/* n = 900
   data: rows p[n][n], q[n][n]
   call: relax_rows(n, p, q) */
void relax_rows(int n, double **p, double **q) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            q[i][j] = 0.5 * p[i][j] + 0.125 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]);
}

/* n = 64
   data: float image[16*66*66], kernel[16*16*9], out[16*64*64]
   call: conv_layer(n, image, kernel, out) */
void conv_layer(int n, const float *image, const float *kernel, float *out) {
    for (int o = 0; o < 16; o++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                for (int c = 0; c < 16; c++)
                    for (int k = 0; k < 9; k++)
                        out[(o * 64 + y) * 64 + x] +=
                            kernel[(o * 16 + c) * 9 + k] * image[(c * 66 + y + k / 3) * 66 + x + k % 3];
}

/* n = 1000
   data: float image[n*n], out[n*n]
   call: sobel(n, image, out) */
void sobel(int n, const float *restrict image, float *restrict out) {
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const float *p = image + y * n + x;
            float gx = p[1 - n] + 2 * p[1] + p[1 + n] - p[-1 - n] - 2 * p[-1] - p[-1 + n];
            float gy = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[-n + 1];
            out[y * n + x] = gx * gx + gy * gy;
        }
}

/* n = 1100
   data: double image[n*n], sum[n*n]
   call: summed_area(n, image, sum) */
void summed_area(int n, const double *image, double *sum) {
    for (int y = 1; y < n; y++)
        for (int x = 1; x < n; x++)
            sum[y * n + x] = image[y * n + x] + sum[y * n + x - 1] + sum[(y - 1) * n + x] - sum[(y - 1) * n + x - 1];
}

/* n = 300
   data: double dist[n*n]
   call: all_paths(n, dist) */
void all_paths(int n, double *dist) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                if (dist[i * n + k] + dist[k * n + j] < dist[i * n + j])
                    dist[i * n + j] = dist[i * n + k] + dist[k * n + j];
}

/* n = 3000
   data: double point[n*3], centre[16*3], best[n]
   call: nearest_centre(n, point, centre, best) */
void nearest_centre(int n, const double *point, const double *centre, double *best) {
    for (int i = 0; i < n; i++) {
        double least = 1e30;
        for (int c = 0; c < 16; c++) {
            double d = 0.0;
            for (int k = 0; k < 3; k++)
                d += (point[i * 3 + k] - centre[c * 3 + k]) * (point[i * 3 + k] - centre[c * 3 + k]);
            least = d < least ? d : least;
        }
        best[i] = least;
    }
}

/* n = 1300
   data: double a[n*n], x[n], y[n]
   call: gemv_columns(n, a, x, y) */
void gemv_columns(int n, const double *restrict a, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += a[j * n + i] * x[j];
}

/* n = 1300
   data: float a[n*n], x[n], y[n], z[n]
   call: two_gemv(n, a, x, y, z) */
void two_gemv(int n, const float *restrict a, const float *restrict x, float *restrict y, float *restrict z) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
        for (int j = 0; j < n; j++)
            z[j] += a[i * n + j] * x[i];
    }
}

/* n = 300
   data: double a[n*n], b[n*n]
   call: triangular_solve(n, a, b) */
void triangular_solve(int n, const double *restrict a, double *restrict b) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++)
                b[i * n + j] -= 0.001 * a[i * n + k] * b[k * n + j];
}

/* n = 1000000
   data: struct sample s[n]; double out[n]
   call: calibrate(n, s, out, 1.1) */
struct sample { double raw, gain, offset, quality; };
void calibrate(int n, const struct sample *restrict s, double *restrict out, double scale) {
    for (int i = 0; i < n; i++)
        out[i] = (s[i].raw - s[i].offset) / (s[i].gain * scale);
}

/* n = 1400
   data: double a[n*n], b[n*n]
   call: rotate_image(n, a, b) */
void rotate_image(int n, const double *restrict a, double *restrict b) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            b[x * n + n - 1 - y] = a[y * n + x];
}

/* n = 900
   data: double u[n*n], v[n*n], w[n*n], d[n*n]
   call: split_sweeps(n, u, v, w, d) */
void split_sweeps(int n, double *restrict u, double *restrict v, double *restrict w, double *restrict d) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++) {
            u[i * n + j] = v[i * n + j] + 0.5 * u[(i - 1) * n + j];
            d[i * n + j] = w[i * n + j] * v[i * n + j] / (1.5 + w[i * n + j]);
        }
}

/* n = 1000
   data: float score[n*n], prob[n*n], most[n]
   call: shift_rows(n, score, prob, most) */
void shift_rows(int n, const float *score, float *prob, const float *most) {
    for (int token = 0; token < n; token++)
        for (int head = 0; head < n; head++)
            prob[head * n + token] = (score[head * n + token] - most[head]) / (most[token] + 1.0f);
}

/* n = 256
   data: double q[n*64], k[n*64], s[n*n]
   call: attention_scores(n, q, k, s) */
void attention_scores(int n, const double *q, const double *k, double *s) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dot = 0.0;
            for (int d = 0; d < 64; d++)
                dot += q[i * 64 + d] * k[j * 64 + d];
            s[i * n + j] = 0.125 * dot;
        }
}

/* n = 90
   data: double rho[n*n*n], fx[n*n*n], fy[n*n*n], fz[n*n*n]
   call: face_fluxes(n, rho, fx, fy, fz) */
void face_fluxes(int n, const double *restrict rho, double *restrict fx, double *restrict fy, double *restrict fz) {
    for (int j = 1; j < n; j++)
        for (int k = 1; k < n; k++)
            for (int i = 1; i < n; i++) {
                int at = (k * n + j) * n + i;
                fx[at] = rho[at] - rho[at - 1];
                fy[at] = rho[at] - rho[at - n];
                fz[at] = rho[at] - rho[at - n * n];
            }
}

/* n = 2000
   data: double prior[n], likelihood[n*64], post[n*64]
   call: posterior(n, prior, likelihood, post) */
void posterior(int n, const double *prior, const double *likelihood, double *post) {
    for (int c = 0; c < 64; c++) {
        double total = 0.0;
        for (int i = 0; i < n; i++)
            total += prior[i] * likelihood[i * 64 + c];
        for (int i = 0; i < n; i++)
            post[i * 64 + c] = prior[i] * likelihood[i * 64 + c] / total;
    }
}

/* n = 500
   data: double a[n*n], w[n], g[n*n]
   call: weighted_update(n, a, w, g) */
void weighted_update(int n, double *a, const double *w, const double *g) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            for (int r = 0; r < 16; r++)
                a[i * n + j] += w[r] * g[i * n + r] * g[j * n + r];
}

/* n = 1000
   data: rows grid[n][n]; double total[n]
   call: zonal_mean(n, grid, total) */
void zonal_mean(int n, double **grid, double *total) {
    for (int lat = 0; lat < n; lat++) {
        total[lat] = 0.0;
        for (int lon = 0; lon < n; lon++)
            total[lat] += grid[lon][lat];
        total[lat] /= n;
    }
}

/* n = 2000000
   data: double price[n], strike[n], spread[n], out[n]
   call: spreads(n, price, strike, spread, out) */
void spreads(int n, const double *price, const double *strike, double *spread, double *out) {
    for (int i = 0; i < n; i++)
        spread[i] = price[i] - strike[i];
    for (int i = 0; i < n; i++)
        out[i] = spread[i] > 0.0 ? spread[i] * 0.97 : 0.0;
}
