// Times of copies, sets, launches and waits: CSV of kind, bytes, seconds (median) by events and by the host's clock.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include "check.h"
__global__ void nothing() {}
__global__ void read(const float4* x, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i].x + x[i].w;
    if (sum == 12345.678f) *out = sum;
}
static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static void report(const char* kind, size_t bytes, int times, const std::function<void()>& before, const std::function<void()>& body) {
    std::vector<double> device, host;
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    for (int i = 0; i < times; ++i) {
        before();
        CHECK(cudaDeviceSynchronize());
        double start = now();
        CHECK(cudaEventRecord(a));
        body();
        CHECK(cudaEventRecord(b));
        double returned = now();
        CHECK(cudaDeviceSynchronize());
        float ms;
        CHECK(cudaEventElapsedTime(&ms, a, b));
        device.push_back(ms * 1e-3);
        host.push_back(returned - start);
    }
    std::sort(device.begin(), device.end());
    std::sort(host.begin(), host.end());
    printf("%s,%zu,%.9g,%.9g\n", kind, bytes, device[times / 2], host[times / 2]);
    fflush(stdout);
}
int main() {
    const size_t most = 64 << 20;
    char *pinned, *pageable = static_cast<char*>(malloc(most)), *d, *e;
    float* out;
    CHECK(cudaMallocHost(&pinned, most));
    CHECK(cudaMalloc(&d, most));
    CHECK(cudaMalloc(&e, most));
    CHECK(cudaMalloc(&out, 4));
    memset(pinned, 1, most);
    memset(pageable, 1, most);
    auto none = [] {};
    printf("kind,bytes,device_s,host_s\n");
    for (size_t n : {size_t(4), size_t(4) << 10, size_t(64) << 10, size_t(1) << 20, size_t(4) << 20, size_t(16) << 20, most}) {
        report("pinned to device", n, 15, none, [&] { CHECK(cudaMemcpyAsync(d, pinned, n, cudaMemcpyHostToDevice)); });
        report("pinned to host", n, 15, none, [&] { CHECK(cudaMemcpyAsync(pinned, d, n, cudaMemcpyDeviceToHost)); });
        report("pageable to device", n, 15, none, [&] { CHECK(cudaMemcpy(d, pageable, n, cudaMemcpyHostToDevice)); });
        report("pageable to host", n, 15, none, [&] { CHECK(cudaMemcpy(pageable, d, n, cudaMemcpyDeviceToHost)); });
        report("device to device", n, 15, none, [&] { CHECK(cudaMemcpyAsync(e, d, n, cudaMemcpyDeviceToDevice)); });
        report("set", n, 15, none, [&] { CHECK(cudaMemsetAsync(d, 0, n)); });
    }
    report("two events", 0, 31, none, [] {});
    report("one launch", 0, 31, none, [] { nothing<<<1, 32>>>(); });
    report("launch and wait", 0, 31, none, [] { nothing<<<1, 32>>>(); CHECK(cudaDeviceSynchronize()); });
    report("100 launches", 0, 15, none, [] { for (int i = 0; i < 100; ++i) nothing<<<1, 32>>>(); });
    report("1000 launches", 0, 5, none, [] { for (int i = 0; i < 1000; ++i) nothing<<<1, 32>>>(); });
    report("10 sets of 4 bytes", 0, 15, none, [&] { for (int i = 0; i < 10; ++i) CHECK(cudaMemsetAsync(d, 0, 4)); });
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 100; ++i) nothing<<<1, 32, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    report("graph of 100 launches", 0, 15, none, [&] { CHECK(cudaGraphLaunch(run, 0)); });
    for (size_t n : {size_t(1) << 20, size_t(8) << 20, size_t(24) << 20, size_t(48) << 20}) {
        auto body = [&] { read<<<264, 512>>>(reinterpret_cast<float4*>(d), out, static_cast<int>(n / 16)); };
        auto flush = [&] { CHECK(cudaMemset(e, 1, most)); CHECK(cudaMemset(e, 2, most)); };
        report("read after itself", n, 9, body, body);
        report("read after flush", n, 9, flush, body);
        report("read after pinned copy", n, 9, [&] { flush(); CHECK(cudaMemcpy(d, pinned, n, cudaMemcpyHostToDevice)); }, body);
        report("read after pageable copy", n, 9, [&] { flush(); CHECK(cudaMemcpy(d, pageable, n, cudaMemcpyHostToDevice)); }, body);
        report("read after set", n, 9, [&] { flush(); CHECK(cudaMemset(d, 1, n)); }, body);
    }
    return 0;
}
