void contract(int a, int b, int c, int d, const double *restrict t, const double *restrict m, double *restrict r)
{
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < d; k++)
                for (int l = 0; l < c; l++)
                    r[(i * b + j) * d + k] += t[(i * b + j) * c + l] * m[l * d + k];
}
