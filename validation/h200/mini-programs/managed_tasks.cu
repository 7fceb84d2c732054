// Tasks in managed memory: small ones on the host, large ones on the device, with streams to which memory is attached; then pages that both sides use in turn.
#include "../user-programs/digest.h"
#include <thread>

struct Task {
    int n;
    double *matrix, *x, *y;
};
__global__ void gemv(int n, const double* a, const double* x, double* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    double sum = 0;
    for (int k = lane; k < n; k += 32) sum += a[(size_t)row * n + k] * x[k];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}
__global__ void bump(int* data, int n, int stride) {
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride; i < n; i += gridDim.x * blockDim.x * stride) data[i] += 1;
}
static void work(std::vector<Task>* tasks, int worker, int workers) {
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t t = worker; t < tasks->size(); t += workers) {
        Task& task = (*tasks)[t];
        if (task.n < 100) {
            for (void* p : {(void*)task.matrix, (void*)task.x, (void*)task.y}) CHECK(cudaStreamAttachMemAsync(stream, p, 0, cudaMemAttachHost));
            CHECK(cudaStreamSynchronize(stream));
            for (int i = 0; i < task.n; ++i) {
                task.y[i] = 0;
                for (int k = 0; k < task.n; ++k) task.y[i] += task.matrix[i * task.n + k] * task.x[k];
            }
        } else {
            for (void* p : {(void*)task.matrix, (void*)task.x, (void*)task.y}) CHECK(cudaStreamAttachMemAsync(stream, p, 0, cudaMemAttachSingle));
            gemv<<<(task.n + 7) / 8, 256, 0, stream>>>(task.n, task.matrix, task.x, task.y);
            CHECK(cudaStreamSynchronize(stream));
        }
    }
    CHECK(cudaStreamDestroy(stream));
}
int main() {
    std::vector<Task> tasks(12);
    Random random(3);
    for (size_t t = 0; t < tasks.size(); ++t) {
        Task& task = tasks[t];
        task.n = t % 3 == 0 ? 40 + t : 300 + 60 * t;
        CHECK(cudaMallocManaged(&task.matrix, sizeof(double) * task.n * task.n));
        CHECK(cudaMallocManaged(&task.x, sizeof(double) * task.n));
        CHECK(cudaMallocManaged(&task.y, sizeof(double) * task.n));
        for (int i = 0; i < task.n * task.n; ++i) task.matrix[i] = random.next() % 16;
        for (int i = 0; i < task.n; ++i) task.x[i] = random.next() % 16;
    }
    work(&tasks, 0, 1);
    bool right = true;
    for (const Task& task : tasks)
        for (int i = 0; i < task.n; i += 17) {
            double sum = 0;
            for (int k = 0; k < task.n; ++k) sum += task.matrix[(size_t)i * task.n + k] * task.x[k];
            right = right && sum == task.y[i];
        }
    int *counters, n = 1 << 20;
    CHECK(cudaMallocManaged(&counters, n * 4));
    for (int i = 0; i < n; ++i) counters[i] = i;
    for (int round = 0; round < 4; ++round) {
        bump<<<132, 256>>>(counters, n, 1 << (2 * round));
        CHECK(cudaDeviceSynchronize());
        counters[round * 1024] += 5;
    }
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += counters[i] - i;
    right = right && sum == n + n / 4 + n / 16 + n / 64 + 20;
    digest("counters", counters, n * 4);
    return verdict(right, "managed_tasks");
}
