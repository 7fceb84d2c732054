struct body { double position[3], velocity[3], mass, charge; };
void total_mass(int n, const struct body *restrict all, double *restrict total)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += all[i].mass * all[i].charge;
    total[0] = sum;
}
