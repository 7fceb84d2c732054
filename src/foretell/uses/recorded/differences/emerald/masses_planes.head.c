void total_mass(int n, const double *restrict all, double *restrict total)
{
    const double *mass = all, *charge = all + n;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += mass[i] * charge[i];
    total[0] = sum;
}
