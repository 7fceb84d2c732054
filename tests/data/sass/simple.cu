#include <cuda_fp16.h>
extern "C" __global__ void vecadd(const float*a,const float*b,float*c,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i<n)c[i]=a[i]+b[i];}
template<int PAD> __device__ void tr(const float* in,float* out,int n){__shared__ float t[32][32+PAD];int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*32+threadIdx.y;
 for(int j=0;j<32;j+=8)t[threadIdx.y+j][threadIdx.x]=in[(size_t)(y+j)*n+x];__syncthreads();x=blockIdx.y*32+threadIdx.x;y=blockIdx.x*32+threadIdx.y;
 for(int j=0;j<32;j+=8)out[(size_t)(y+j)*n+x]=t[threadIdx.x][threadIdx.y+j];}
extern "C" __global__ void transpose0(const float*in,float*out,int n){tr<0>(in,out,n);}
extern "C" __global__ void transpose1(const float*in,float*out,int n){tr<1>(in,out,n);}
extern "C" __global__ void __launch_bounds__(256) matmul(const float* __restrict__ A,const float* __restrict__ B,float* C,int n){
 __shared__ float a[16][16],b[16][16];int r=blockIdx.y*16+threadIdx.y,c=blockIdx.x*16+threadIdx.x;float s=0;
 for(int k=0;k<n;k+=16){a[threadIdx.y][threadIdx.x]=A[r*n+k+threadIdx.x];b[threadIdx.y][threadIdx.x]=B[(k+threadIdx.y)*n+c];__syncthreads();
  for(int j=0;j<16;j++)s+=a[threadIdx.y][j]*b[j][threadIdx.x];__syncthreads();}
 C[r*n+c]=s;}
extern "C" __global__ void stencil(const double*in,double*out,int n){int i=blockIdx.x*blockDim.x+threadIdx.x,j=blockIdx.y*blockDim.y+threadIdx.y;
 if(i<1||j<1||i>=n-1||j>=n-1)return;for(int k=1;k<n-1;k++){size_t p=((size_t)k*n+j)*n+i;
 out[p]=0.4*in[p]+0.1*(in[p-1]+in[p+1]+in[p-n]+in[p+n]+in[p-(size_t)n*n]+in[p+(size_t)n*n]);}}
extern "C" __global__ void reduce(const float*in,float*out,int n){__shared__ float s[256];float v=0;for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x)v+=in[i];
 s[threadIdx.x]=v;__syncthreads();for(int d=128;d>0;d>>=1){if(threadIdx.x<d)s[threadIdx.x]+=s[threadIdx.x+d];__syncthreads();}if(threadIdx.x==0)atomicAdd(out,s[0]);}
extern "C" __global__ void mixed(const int*idx,const float*x,double*y,__half*h,int n,int d){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i>=n)return;
 int q=i/d,r=i%d;float v=x[idx[i]]*__sinf(x[q])+sqrtf(x[r]);for(int k=idx[i];k<idx[i+1];k++)v=fmaf(v,x[k],1.f/x[k+1]);
 v+=__shfl_xor_sync(~0u,v,4);if(__any_sync(~0u,v>3.f))v*=2; y[i]=v/3.7+pow((double)v,2.5);h[i]=__hadd(h[i],__float2half(v));atomicMax((int*)&y[q],q);}
