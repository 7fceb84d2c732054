/*
 * Scaled sum of two vectors.
 *
 * y <- a x + b y; x and y may be the same.
 */
void saxpby(int n, float a, float b, const float *x, float *y)
{
    /* one pass, in place */
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + b * y[i];
}
