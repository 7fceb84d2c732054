// Two halves of a block take turns at long work, with one barrier for all or one for each half; or both always work, and
// one hands over to the other by way of two stages.
template <class Barrier> __device__ void turns(float* out, int rounds, int length, Barrier barrier) {
    const int team = threadIdx.x / 128;
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        const int work = (k + team) % 2 ? length : 1;
        for (int j = 0; j < work; ++j) v = v * 1.0001f + 0.5f;
        barrier(team);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
extern "C" __global__ void of_all(float* out, int rounds, int length) {
    turns(out, rounds, length, [](int) { asm volatile("bar.sync 0;" ::: "memory"); });
}
extern "C" __global__ void of_a_team(float* out, int rounds, int length) {
    turns(out, rounds, length, [](int team) { asm volatile("bar.sync %0, 128;" ::"r"(team + 1) : "memory"); });
}
extern "C" __global__ void by_count(float* out, int rounds, int length, int count) {
    turns(out, rounds, length, [&](int team) { asm volatile("bar.sync %0, %1;" ::"r"(team + 1), "r"(count) : "memory"); });
}
// The warps of each half take turns, and wait for each other at the barrier of their half.
extern "C" __global__ void within_a_team(float* out, int rounds, int length) {
    const int warp = threadIdx.x / 32, team = threadIdx.x / 128;
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        const int work = (k + warp) % 2 ? length : 1;
        for (int j = 0; j < work; ++j) v = v * 1.0001f + 0.5f;
        asm volatile("bar.sync %0, 128;" ::"r"(team + 1) : "memory");
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
extern "C" __global__ void handed_over(float* out, int rounds, int length) {
    const int team = threadIdx.x / 128;
    float v = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        const int stage = k % 2;
        if (team == 1) asm volatile("bar.sync %0, 256;" ::"r"(stage + 1) : "memory");
        else if (k >= 2) asm volatile("bar.sync %0, 256;" ::"r"(stage + 3) : "memory");
        for (int j = 0; j < length; ++j) v = v * 1.0001f + 0.5f;
        if (team == 0) asm volatile("bar.arrive %0, 256;" ::"r"(stage + 1) : "memory");
        else if (k + 2 < rounds) asm volatile("bar.arrive %0, 256;" ::"r"(stage + 3) : "memory");
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
