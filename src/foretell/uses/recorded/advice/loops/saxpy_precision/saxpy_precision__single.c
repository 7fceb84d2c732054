void saxpy_precision(int n, float x[restrict n], float y[restrict n]) {
    for (int i = 0; i < n; i++)
     y[i] = 2.5f * x[i] + y[i];
}
