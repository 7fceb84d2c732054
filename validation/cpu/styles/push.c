/* Particles in arrays of their own: velocities, then places. */
void push(long n, float dt, const float *restrict fx, const float *restrict fy, float *restrict vx,
          float *restrict vy, float *restrict px, float *restrict py) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    vx[i] += dt * fx[i];
    vy[i] += dt * fy[i];
    px[i] += dt * vx[i];
    py[i] += dt * vy[i];
  }
}
