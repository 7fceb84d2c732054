// What L2 keeps from launch to launch: 4 to 60 MiB are read four times, written and read twice, and copied three times.
//     nvcc -O3 -arch=sm_90 -o l2_launches l2_launches.cu
//     ncu --csv --cache-control none --clock-control none \
//         --metrics dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum ./l2_launches
// l2-launches.csv has its counts on an H200, blocks of 256 threads with 16 bytes each.
__global__ void rd(const float4* a, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = a[i];
        if (v.x + v.y + v.z + v.w == 1.5f) *o = 1;
    }
}

__global__ void wr(float4* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = make_float4(i, 0, 0, 0);
}

__global__ void cp(const float4* a, float4* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}

int main() {
    float4 *a, *b;
    float* o;
    cudaMalloc(&a, 1 << 28);
    cudaMalloc(&b, 1 << 28);
    cudaMalloc(&o, 4);
    cudaMemset(a, 0, 1 << 28);
    for (int mib : {4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 60}) {
        int n = mib << 16, half = n / 2;
        for (int k = 0; k < 4; k++) rd<<<n / 256, 256>>>(a, o, n);
        for (int k = 0; k < 2; k++) {
            wr<<<n / 256, 256>>>(a, n);
            rd<<<n / 256, 256>>>(a, o, n);
        }
        for (int k = 0; k < 3; k++) cp<<<half / 256, 256>>>(a, b, half);
        cudaDeviceSynchronize();
    }
    return cudaGetLastError() != cudaSuccess;
}
