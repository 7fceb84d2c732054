struct body { double x, y, z, u, v, w; };
void integrate(int n, struct body *b)
{
    for (int i = 0; i < n; i++) {
        b[i].x += 1e-6 * b[i].u;
        b[i].y += 1e-6 * b[i].v;
        b[i].z += 1e-6 * b[i].w;
    }
}
