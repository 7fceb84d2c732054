// Forces between particles in a box and in the boxes around it: boxes BOXES_PER_SIDE PARTICLES_PER_BOX
#include <cmath>
#include <vector>

#include "example.h"

struct Particle {
    double x, y, z, charge;
};

void boxes(int side, int each, const std::vector<Particle> &all, std::vector<Particle> &force) {
#pragma omp parallel for
    for (int box = 0; box < side * side * side; box++) {
        const int bz = box / (side * side), by = box / side % side, bx = box % side;
        for (int i = 0; i < each; i++) {
            const Particle &me = all[box * each + i];
            Particle sum = {0, 0, 0, 0};
            for (int near = 0; near < 27; near++) {
                const int x = bx + near % 3 - 1, y = by + near / 3 % 3 - 1, z = bz + near / 9 - 1;
                if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) continue;
                const Particle *other = &all[((z * side + y) * side + x) * each];
                for (int j = 0; j < each; j++) {
                    const double dx = me.x - other[j].x, dy = me.y - other[j].y, dz = me.z - other[j].z;
                    const double v = std::exp(-0.5 * (dx * dx + dy * dy + dz * dz)) * other[j].charge;
                    sum.charge += v;
                    sum.x += v * dx;
                    sum.y += v * dy;
                    sum.z += v * dz;
                }
            }
            force[box * each + i] = sum;
        }
    }
}

int main(int argc, char **argv) {
    const int side = size_argument(argc, argv, 1, 3), each = size_argument(argc, argv, 2, 20);
    const size_t count = static_cast<size_t>(side) * side * side * each;
    std::vector<Particle> all(count), force(count);
    unsigned state = 28;
    for (Particle &one : all) one = {number(&state), number(&state), number(&state), number(&state)};
    const double started = now();
    boxes(side, each, all, force);
    report(started, &force[0].x, 4 * count);
}
