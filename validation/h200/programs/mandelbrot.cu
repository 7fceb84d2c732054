// Iterations until escape: every pixel its own number.
#include "check.h"
__host__ __device__ int escape(double cx, double cy) {
    double x = 0, y = 0;
    int k = 0;
    while (k < 200 && x * x + y * y < 4) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++k;
    }
    return k;
}
__global__ void paint(int* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = escape(-2.0 + 3.0 * x / w, -1.0 + 2.0 * y / h);
}
int main() {
    const int w = 768, h = 512;
    int* out;
    CHECK(cudaMalloc(&out, w * h * 4));
    Elapsed time;
    paint<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(out, w, h);
    time.print();
    std::vector<int> got(w * h);
    CHECK(cudaMemcpy(got.data(), out, w * h * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) wrong += got[y * w + x] != escape(-2.0 + 3.0 * x / w, -1.0 + 2.0 * y / h);
    return verdict(wrong < w * h / 200, "mandelbrot");  // the host rounds products before sums
}
