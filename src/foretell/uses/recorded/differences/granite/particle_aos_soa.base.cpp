namespace {
struct Particle {
    float x, y, z, mass;
    float vx, vy, vz, charge;
};
}  // namespace

extern "C" {
void advance_all(int n, float *raw, float dt)
{
    Particle* p = reinterpret_cast<Particle*>(raw);
    for (int i = 0; i < n; ++i) {
        p[i].x += dt * p[i].vx;
        p[i].y += dt * p[i].vy;
        p[i].z += dt * p[i].vz;
    }
}
}
