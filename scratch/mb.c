#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <time.h>
#include <x86intrin.h>
void scale(long n, double s, const double *restrict b, double *restrict a){for(long i=0;i<n;i++)a[i]=s*b[i];}
void fill(long n, double s, const double *restrict b, double *restrict a){for(long i=0;i<n;i++)a[i]=s;}
void daxpy(long n, double s, const double *restrict b, double *restrict a){for(long i=0;i<n;i++)a[i]+=s*b[i];}
void heat(long n, double s, const double *restrict u, double *restrict v){for(long i=1;i<n-1;i++)v[i]=0.25*u[i-1]+0.5*u[i]+0.25*u[i+1];}
void copy4(long n, double s, const double *restrict b, double *restrict a){for(long i=0;i<n;i+=1)a[i]=b[i]+1.0;}
void upd(long n, double s, const double *restrict b, double *restrict a){for(long i=0;i<n;i+=1)a[i]*=s;}
double sink;
void rd(long n, double s, const double *restrict b, double *restrict a){ long t=0; for(long i=0;i<n;i+=1)t+=((long*)b)[i]; a[0]=t;}
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static int cmp(const void*a,const void*b){double x=*(double*)a,y=*(double*)b;return x<y?-1:x>y;}
static double clk(void){double best=1e9;for(int r=0;r<200;r++){uint64_t x=1,y=3;double t=now();for(int i=0;i<2000;i++){asm volatile("add %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\nadd %1,%0\n":"+r"(x):"r"(y));}t=now()-t;if(t<best)best=t;}return 20000/best;}
typedef void(*F)(long,double,const double*,double*);
int main(int c,char**v){
 F fs[]={scale,fill,daxpy,heat,upd,rd};const char*nm[]={"scale","fill","daxpy","heat","upd","rd"};
 long ns[]={64,128,256,512,768,1024,1536,1537,1539,2048,2500};
 char*A=aligned_alloc(4096,1<<20),*B=aligned_alloc(4096,1<<20);
 double*a=(double*)(A+448*5),*b=(double*)(B+448*6);
 if(c>1)a=(double*)(A+atoi(v[1])); if(c>2)b=(double*)(B+atoi(v[2]));
 for(int i=0;i<65536;i++){a[i]=1;b[i]=1;}
 double f=clk();printf("clock %.3f GHz\n",f/1e9);
 for(int k=0;k<6;k++){printf("%-6s",nm[k]);for(int j=0;j<11;j++){long n=ns[j];volatile F g=fs[k];
  long cnt=1;double d[2000];
  {double t=now();for(int i=0;i<20000;i++)g(n,0.5,b,a);t=(now()-t)/20000;cnt=20e-6/t;if(cnt<1)cnt=1;}
  int m=1500;for(int q=0;q<m;q++){double t=now();for(long i=0;i<cnt;i++)g(n,1.0,b,a);d[q]=(now()-t)/cnt;}
  qsort(d,m,8,cmp);printf(" %ld:%.0f/%.0f",n,d[m/100]*f,d[m/2]*f);}
 printf("\n");}
}
