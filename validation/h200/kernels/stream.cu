// Streams: every byte is used once. What differs is the width, the alignment and the stride.
#include <cuda_fp16.h>

#include "common.cuh"

KERNEL copy_f32(const float* a, float* b, int n) {
    const int i = global_x();
    if (i < n) b[i] = a[i];
}

KERNEL copy_f32x4(const float4* a, float4* b, int n) {
    const int i = global_x();
    if (i < n) b[i] = a[i];
}

KERNEL copy_loop(const float* a, float* b, int n) {
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) b[i] = a[i];
}

KERNEL copy_u8(const unsigned char* a, unsigned char* b, int n) {
    const int i = global_x();
    if (i < n) b[i] = a[i];
}

KERNEL triad_f32(const float* a, const float* b, float* c, float s, int n) {
    const int i = global_x();
    if (i < n) c[i] = a[i] + s * b[i];
}

KERNEL triad_f64(const double* a, const double* b, double* c, double s, int n) {
    const int i = global_x();
    if (i < n) c[i] = a[i] + s * b[i];
}

KERNEL axpy_f64(double s, const double* x, double* y, int n) {
    const int i = global_x();
    if (i < n) y[i] += s * x[i];
}

KERNEL axpy_f16x2(const __half2* x, __half2* y, int n) {
    const int i = global_x();
    if (i < n) y[i] = __hfma2(x[i], __float2half2_rn(0.5f), y[i]);
}

KERNEL fill_f32(float* a, float value, int n) {
    const int i = global_x();
    if (i < n) a[i] = value;
}

KERNEL sum_loop(const float4* a, float* b, int n) {  // reads only
    float sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) {
        const float4 v = a[i];
        sum += v.x + v.y + v.z + v.w;
    }
    b[global_x()] = sum;
}

KERNEL strided_read(const float* a, float* b, int n, int stride) {
    const int i = global_x();
    if (i < n) b[i] = a[static_cast<long long>(i) * stride];
}

KERNEL misaligned_copy(const float* a, float* b, int n, int shift) {
    const int i = global_x();
    if (i < n) b[i] = a[i + shift];
}

struct Particle {
    float position[3], velocity[3], mass, charge;
};

KERNEL struct_move(Particle* p, float step, int n) {  // six of eight members of an array of structures
    const int i = global_x();
    if (i >= n) return;
    for (int k = 0; k < 3; ++k) p[i].position[k] += step * p[i].velocity[k];
}

KERNEL struct_mass(const Particle* p, float* mass, int n) {  // one of eight members
    const int i = global_x();
    if (i < n) mass[i] = p[i].mass;
}
