// Products of a warp: dense, sparse, of 8-bit numbers. Registers are read and written as they are.

extern "C" __global__ void warp_half(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void warp_half_8(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(b[0 * 32 + l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void warp_brain(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void warp_tensor(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void warp_tensor_4(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(b[0 * 32 + l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void warp_half_half(const unsigned* a, const unsigned* b, const unsigned* c, const unsigned* e, unsigned* out) {
    const int l = threadIdx.x;
    unsigned d[2];
    for (int k = 0; k < 2; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]));
    for (int k = 0; k < 2; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void warp_e4_e5(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_half_32(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(b[2 * 32 + l]), "r"(b[3 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_half_32_1(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 1;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(b[2 * 32 + l]), "r"(b[3 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_half_16(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 2;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_brain_32(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(b[2 * 32 + l]), "r"(b[3 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_tensor_16(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(b[2 * 32 + l]), "r"(b[3 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_tensor_8(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 1;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_s8_64(const unsigned* a, const unsigned* b, const int* c, const unsigned* e, int* out) {
    const int l = threadIdx.x;
    int d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(b[2 * 32 + l]), "r"(b[3 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_u8_32(const unsigned* a, const unsigned* b, const int* c, const unsigned* e, int* out) {
    const int l = threadIdx.x;
    int d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 1;" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}

extern "C" __global__ void sparse_e4_64(const unsigned* a, const unsigned* b, const float* c, const unsigned* e, float* out) {
    const int l = threadIdx.x;
    float d[4];
    for (int k = 0; k < 4; ++k) d[k] = c[k * 32 + l];
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0 * 32 + l]), "r"(a[1 * 32 + l]), "r"(a[2 * 32 + l]), "r"(a[3 * 32 + l]), "r"(b[0 * 32 + l]), "r"(b[1 * 32 + l]), "r"(b[2 * 32 + l]), "r"(b[3 * 32 + l]), "r"(e[l]));
    for (int k = 0; k < 4; ++k) out[k * 32 + l] = d[k];
}
