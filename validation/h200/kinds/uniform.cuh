// A random number between 0 and 1, and the next state.
#pragma once
__device__ float uniform(U& s)
{
    s = s * 1664525u + 1013904223u;
    return (s >> 8) * (1.f / 16777216.f);
}
