// What every file of kernels uses. Kernels have plain names, so that a case can name them.
#pragma once

#define KERNEL extern "C" __global__ void

__device__ inline int global_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline int global_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ inline int global_z() { return blockIdx.z * blockDim.z + threadIdx.z; }
