// The colour of a border, as textures of each type give it.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
template <class T> __global__ void read(cudaTextureObject_t t, unsigned* out) {
    T v = tex2D<T>(t, -3.5f, 1.5f), w = tex2D<T>(t, 0.0f, 1.5f);
    unsigned words[4] = {0, 0, 0, 0}, second[4] = {0, 0, 0, 0};
    memcpy(words, &v, sizeof v < 16 ? sizeof v : 16), memcpy(second, &w, sizeof w < 16 ? sizeof w : 16);
    for (int k = 0; k < 4; ++k) out[k] = words[k], out[4 + k] = second[k];
}
template <class T, class R> void test(const char* name, cudaChannelFormatDesc d, int fractions, int linear, const float (&c)[4], bool pitched = false) {
    cudaArray_t a; void* linear_memory = nullptr; size_t pitch = 0;
    cudaResourceDesc what = {};
    if (pitched) {
        cudaMallocPitch(&linear_memory, &pitch, 16 * sizeof(T), 16); cudaMemset2D(linear_memory, pitch, 0, 16 * sizeof(T), 16);
        what.resType = cudaResourceTypePitch2D; what.res.pitch2D.devPtr = linear_memory; what.res.pitch2D.desc = d; what.res.pitch2D.width = 16; what.res.pitch2D.height = 16; what.res.pitch2D.pitchInBytes = pitch;
    } else {
        cudaMallocArray(&a, &d, 16, 16);
        static char zero[16 * 16 * 16]; cudaMemcpy2DToArray(a, 0, 0, zero, 16 * sizeof(T), 16 * sizeof(T), 16, cudaMemcpyHostToDevice);
        what.resType = cudaResourceTypeArray; what.res.array.array = a;
    }
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    how.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    memcpy(how.borderColor, c, 16);
    cudaTextureObject_t t; cudaError_t e = cudaCreateTextureObject(&t, &what, &how, nullptr);
    if (e) { printf("%s %g refused %s\n", name, c[0], cudaGetErrorName(e)); cudaGetLastError(); return; }
    unsigned *out, h[8]; cudaMalloc(&out, 32); read<R><<<1, 1>>>(t, out); e = cudaMemcpy(h, out, 32, cudaMemcpyDeviceToHost);
    printf("%s%s fractions %d linear %d colour %g %g %g %g : %08x %08x %08x %08x (%g %g) half %08x (%g) %s\n", name, pitched ? " pitched" : "", fractions, linear, c[0], c[1], c[2], c[3], h[0], h[1], h[2], h[3], *(float*)&h[0], *(float*)&h[1], h[4], *(float*)&h[4], cudaGetErrorName(e));
}
int main() {
    float seven; int i7 = 7; memcpy(&seven, &i7, 4);
    const float colours[][4] = {{0.5f, 0.25f, 0.75f, 1}, {1, 0, 0, 0}, {0.3f, 0.1f, 0.9f, 0.2f}, {3, -2, 300, -300}, {-0.5f, -1, -3, 0.7f}, {seven, seven, seven, seven}, {200, 100, 7.6f, 70000}};
    for (auto& c : colours) {
        test<uchar1, float>("u8", cudaCreateChannelDesc<unsigned char>(), 1, 0, c);
        test<uchar1, float>("u8", cudaCreateChannelDesc<unsigned char>(), 1, 1, c);
        test<uchar1, float>("u8", cudaCreateChannelDesc<unsigned char>(), 1, 0, c, true);
        test<uchar4, float4>("u8x4", cudaCreateChannelDesc<uchar4>(), 1, 0, c);
        test<char1, float>("s8", cudaCreateChannelDesc<signed char>(), 1, 0, c);
        test<ushort1, float>("u16", cudaCreateChannelDesc<unsigned short>(), 1, 0, c);
        test<ushort1, float>("u16", cudaCreateChannelDesc<unsigned short>(), 1, 1, c);
        test<short1, float>("s16", cudaCreateChannelDesc<short>(), 1, 0, c);
        test<short1, float>("s16", cudaCreateChannelDesc<short>(), 1, 1, c);
        test<uchar1, unsigned char>("u8", cudaCreateChannelDesc<unsigned char>(), 0, 0, c);
        test<char1, signed char>("s8", cudaCreateChannelDesc<signed char>(), 0, 0, c);
        test<ushort1, unsigned short>("u16", cudaCreateChannelDesc<unsigned short>(), 0, 0, c);
        test<short1, short>("s16", cudaCreateChannelDesc<short>(), 0, 0, c);
        test<uint1, unsigned>("u32", cudaCreateChannelDesc<unsigned>(), 0, 0, c);
        test<int1, int>("s32", cudaCreateChannelDesc<int>(), 0, 0, c);
        test<uchar4, uchar4>("u8x4", cudaCreateChannelDesc<uchar4>(), 0, 0, c);
        test<float1, float>("f32", cudaCreateChannelDesc<float>(), 0, 0, c);
        test<float1, float>("f32", cudaCreateChannelDesc<float>(), 0, 1, c);
        test<float4, float4>("f32x4", cudaCreateChannelDesc<float4>(), 0, 0, c);
        test<ushort1, float>("f16", cudaCreateChannelDescHalf(), 0, 0, c);
        test<ushort1, float>("f16", cudaCreateChannelDescHalf(), 0, 1, c);
    }
}
