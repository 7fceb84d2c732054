#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static int cmp(const void*a,const void*b){double x=*(double*)a,y=*(double*)b;return x<y?-1:x>y;}
__attribute__((noinline)) void empty(long n,double*a){
#pragma omp parallel
{ asm volatile(""::"r"(a):"memory"); }
}
__attribute__((noinline)) void forloop(long n,double*a){
#pragma omp parallel for
for(long i=0;i<n;i++)a[i]*=0.999;
}
__attribute__((noinline)) void chain(long n,double*a){
#pragma omp parallel
{ unsigned long x=n,y=3; for(long i=0;i<n;i++) asm volatile("add %1,%0":"+r"(x):"r"(y)); if(!x) a[0]=1; }
}
typedef void(*F)(long,double*);
int main(void){double*a=aligned_alloc(4096,1<<20);for(int i=0;i<100000;i++)a[i]=1;F f[]={empty,forloop,chain};const char*nm[]={"empty","for","chain"};long ns[]={0,16,64,256,1024,3072,6144,12288};
for(int k=0;k<3;k++){printf("threads %d %s",omp_get_max_threads(),nm[k]);for(int j=0;j<(k?8:1);j++){double d[1000];for(int w=0;w<3;w++)for(int q=0;q<1000;q++){double t=now();for(int i=0;i<20;i++)f[k](ns[j],a);d[q]=(now()-t)/20;}qsort(d,1000,8,cmp);printf(" %ld:%.0f/%.0f",ns[j],d[50]*1e9,d[500]*1e9);}printf(" ns\n");}}
