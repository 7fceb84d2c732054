// Eight small kernels, each a marked region: what a smaller share of the L1 does to their miss rates.
#include "foretell.h"
#include <math.h>
enum { N = 40000, M = 96, S = 300 };
double a[N], b[N], c[N], A[M][M], B[M][M], C[M][M], g[S][S], h[S][S]; int idx[N]; volatile double sink;
#define NI __attribute__((noinline))
NI void triad(void){ for(int i=0;i<N;i++) a[i]=b[i]+3.0*c[i]; }
NI double dot(void){ double s=0; for(int i=0;i<N;i++) s+=a[i]*b[i]; return s; }
NI void mm(void){ for(int i=0;i<M;i++)for(int j=0;j<M;j++){double s=0;for(int k=0;k<M;k++)s+=A[i][k]*B[k][j];C[i][j]=s;} }
NI void st(void){ for(int i=1;i<S-1;i++)for(int j=1;j<S-1;j++)h[i][j]=.25*(g[i-1][j]+g[i+1][j]+g[i][j-1]+g[i][j+1]); }
NI double gather(void){ double s=0; for(int i=0;i<N;i++) s+=a[idx[i]]; return s; }
NI double spmv(void){ double s=0; for(int i=0;i<N/8;i++){double t=0;for(int k=0;k<8;k++)t+=c[i*8+k]*b[(idx[i*8+k]&1023)+i]; s+=t;} return s; }
NI void tr(void){ for(int i=0;i<S;i++)for(int j=0;j<S;j++)h[j][i]=g[i][j]; }
NI double small(void){ double s=0; for(int r=0;r<20;r++)for(int i=0;i<3500;i++) s+=a[i]*1.1; return s; }
int main(){ for(int i=0;i<N;i++){a[i]=i;b[i]=1;c[i]=2;idx[i]=(int)((i*2654435761u)%N);}
#define R(n,x) FORETELL_BEGIN(n); for(int q=0;q<2;q++){x;} FORETELL_END;
R("triad",triad()) R("dot",sink=dot()) R("matmul",mm()) R("stencil",st()) R("gather",sink=gather()) R("spmv",sink=spmv()) R("transpose",tr()) R("small",sink=small()) return 0; }
