// A texture object, which foretell does not have. Not among the measured programs.
#include "check.h"
int main() {
    float* d;
    CHECK(cudaMalloc(&d, 1024 * 4));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d;
    resource.res.linear.sizeInBytes = 4096;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return 0;
}
