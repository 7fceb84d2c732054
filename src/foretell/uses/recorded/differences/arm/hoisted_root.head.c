#include <math.h>
void scale_rows(int n, int m, const double *d, double *a)
{
    for (int i = 0; i < n; i++)
        {
            double root = sqrt(d[i]);
            for (int j = 0; j < m; j++)
                a[i * m + j] = a[i * m + j] * 0.5 + root;
        }
}
