namespace {
struct Vec2 {
    double x, y;
};
[[gnu::noinline]] Vec2 turned(const Vec2& v, double c, double s) { return {c * v.x - s * v.y, s * v.x + c * v.y}; }
}  // namespace

extern "C" {
void rotate_points(int n, double *xy, double c, double s)
{
    Vec2 *p = reinterpret_cast<Vec2 *>(xy);
    for (int i = 0; i < n; ++i)
        p[i] = turned(p[i], c, s);
}
}
