/* Bodies move on: three of eight numbers are written, six are read. */
struct body { double x, y, z, mass, vx, vy, vz, charge; };
void bodies(long n, struct body b[restrict n], double dt) {
  for (long i = 0; i < n; i++) {
    b[i].x += dt * b[i].vx;
    b[i].y += dt * b[i].vy;
    b[i].z += dt * b[i].vz;
  }
}
