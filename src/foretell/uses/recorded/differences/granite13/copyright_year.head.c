/* Copyright 2024-2026, under the licence of the project */
void limit_gain(int n, float *x)
{
    /* what is above full scale is cut */
    for (int i = 0; i < n; i++)
        x[i] = x[i] > 1.0f ? 1.0f : x[i];
}
