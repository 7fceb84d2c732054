// The colour of a border in textures of each format: the words that an H200 gives (validation/h200/benchmark-programs, borders.csv).
#include <cstring>

#include "check.h"

template <class Read>
__global__ void read(cudaTextureObject_t texture, unsigned* words) {
    const Read outside = tex2D<Read>(texture, -3.5f, 1.5f);
    memcpy(words, &outside, sizeof outside);
}

template <class Element, class Read>
static void expect(const char* name, float r, float g, float b, float a, unsigned first, unsigned last = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<Element>();
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&what.res.array.array, &format, 4, 4));
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    const bool fractions = format.f != cudaChannelFormatKindFloat && sizeof(Read) != sizeof(Element);
    how.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    const float colour[] = {r, g, b, a};
    memcpy(how.borderColor, colour, sizeof colour);
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    unsigned *words, got[4] = {};
    CHECK(cudaMalloc(&words, sizeof got));
    CHECK(cudaMemset(words, 0, sizeof got));
    read<Read><<<1, 1>>>(texture, words);
    CHECK(cudaMemcpy(got, words, sizeof got, cudaMemcpyDeviceToHost));
    const unsigned end = got[sizeof(Read) / 4 == 4 ? 3 : 0];
    if (got[0] != first || (last != 0 && end != last)) {
        std::printf("%s: %08x %08x, not %08x %08x\n", name, got[0], end, first, last);
        std::exit(1);
    }
}

int main() {
    expect<unsigned char, float>("u8", 0.5f, 0, 0, 0, 0x3efefeff);
    expect<uchar4, float4>("u8x4", 0.3f, 0.1f, 0.9f, 0.2f, 0x3e989899, 0x3e4ccccd);
    expect<uchar4, float4>("u8x4 beyond", 3, -2, 300, 0.7f, 0x3f800000, 0x3f32b2b3);
    expect<signed char, float>("s8", -0.5f, 0, 0, 0, 0xbefdfbf8);
    expect<unsigned short, float>("u16", 0.5f, 0, 0, 0, 0x3effff00);
    expect<short, float>("s16", 0.3f, 0, 0, 0, 0x3e999933);
    expect<uchar4, uchar4>("u8x4 as it is", -0.5f, -1, -3, 0.7f, 0x33000000);
    expect<unsigned, unsigned>("u32", 0.5f, 0, 0, 0, 0x3f000000);
    expect<int, int>("s32", -0.5f, 0, 0, 0, 0xbf000000);
    expect<float4, float4>("f32x4", 3, -2, 300, -300, 0x40400000, 0xc3960000);
    return 0;
}
