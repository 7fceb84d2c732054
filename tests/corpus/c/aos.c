/* Arrays of structures by index and by walking pointer. */
#include <stdio.h>
#ifndef N
#define N 16
#endif
typedef struct { double x, y, z; } vec3;
typedef struct { vec3 pos, vel; double mass; int id; } particle;
static particle p[N];
static vec3 force[N];

static void push(double dt)
{
  for (int i = 0; i < N; i++) {
    p[i].vel.x += dt * force[i].x / p[i].mass;
    p[i].vel.y += dt * force[i].y / p[i].mass;
    p[i].vel.z += dt * force[i].z / p[i].mass;
    p[i].pos.x += dt * p[i].vel.x;
    p[i].pos.y += dt * p[i].vel.y;
    p[i].pos.z += dt * p[i].vel.z;
  }
}

static double energy(const particle *first, int n)
{
  double e = 0.0;
  for (const particle *q = first; q < first + n; q++)
    e += 0.5 * q->mass * (q->vel.x * q->vel.x + q->vel.y * q->vel.y + q->vel.z * q->vel.z);
  return e;
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    p[i].pos.x = i;
    p[i].pos.y = 2.0 * i;
    p[i].pos.z = 0.0;
    p[i].vel.x = p[i].vel.y = p[i].vel.z = 0.25;
    p[i].mass = 1.0 + i;
    p[i].id = i;
    force[i].x = 1.0;
    force[i].y = -1.0;
    force[i].z = 0.5;
  }
  push(0.01);
  printf("%.12g\n", energy(p, N));
  return 0;
}
