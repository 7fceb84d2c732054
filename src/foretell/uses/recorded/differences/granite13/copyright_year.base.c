/* Copyright 2024 */
void limit_gain(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] > 1.0f ? 1.0f : x[i];
}
