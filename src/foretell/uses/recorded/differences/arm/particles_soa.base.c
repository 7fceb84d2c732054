struct particle { double x, y, z, u, v, w; };
void kick(int n, double *restrict all)
{
    struct particle *p = (struct particle *)all;
    for (int i = 0; i < n; i++)
        p[i].x += 0.1 * p[i].u;
}
