namespace {
struct Vector {
    double x, y, z;
};
Vector operator*(double s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
}  // namespace
extern "C" {
void drift(int n, double dt, const double *x, const double *v, double *out)
{
    for (int i = 0; i < n; i++) {
        const Vector at{x[3 * i], x[3 * i + 1], x[3 * i + 2]}, speed{v[3 * i], v[3 * i + 1], v[3 * i + 2]};
        const Vector next = at + dt * speed;
        out[3 * i] = next.x;
        out[3 * i + 1] = next.y;
        out[3 * i + 2] = next.z;
    }
}
}
