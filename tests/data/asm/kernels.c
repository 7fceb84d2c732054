#include <math.h>
#include <complex.h>
#define R restrict
/* Loops that the in-core model is judged by: one loop nest in each function. */
void triad(int n,double*R a,const double*R b,const double*R c,double s){for(int i=0;i<n;i++)a[i]=b[i]+s*c[i];}
void copy(int n,double*R a,const double*R b){for(int i=0;i<n;i++)a[i]=b[i];}
void axpy(int n,double*R a,const double*R b,double s){for(int i=0;i<n;i++)a[i]+=s*b[i];}
void scale(int n,double*R a,double s){for(int i=0;i<n;i++)a[i]*=s;}
double dot(int n,const double*R a,const double*R b){double s=0;for(int i=0;i<n;i++)s+=a[i]*b[i];return s;}
double sum(int n,const double*R a){double s=0;for(int i=0;i<n;i++)s+=a[i];return s;}
double norm2(int n,const double*R a){double s=0;for(int i=0;i<n;i++)s+=a[i]*a[i];return s;}
double maxnorm(int n,const double*R a){double s=0;for(int i=0;i<n;i++){double x=fabs(a[i]);if(x>s)s=x;}return s;}
void st5(int n,int m,double*R q,const double*R p,double c){for(int j=1;j<m-1;j++)for(int i=1;i<n-1;i++)q[j*n+i]=c*(p[j*n+i]+p[j*n+i-1]+p[j*n+i+1]+p[(j-1)*n+i]+p[(j+1)*n+i]);}
void st7(int n,double*R q,const double*R p,double c0,double c1){for(int k=1;k<n-1;k++)for(int j=1;j<n-1;j++)for(int i=1;i<n-1;i++)q[(k*n+j)*n+i]=c0*p[(k*n+j)*n+i]+c1*(p[(k*n+j)*n+i-1]+p[(k*n+j)*n+i+1]+p[(k*n+j-1)*n+i]+p[(k*n+j+1)*n+i]+p[((k-1)*n+j)*n+i]+p[((k+1)*n+j)*n+i]);}
void st27(int n,double*R q,const double*R p,double c0,double c1){for(int k=1;k<n-1;k++)for(int j=1;j<n-1;j++)for(int i=1;i<n-1;i++){
 q[(k*n+j)*n+i]=c0*p[(k*n+j)*n+i]+c1*(
 p[((k-1)*n+j-1)*n+i-1]+p[((k-1)*n+j-1)*n+i]+p[((k-1)*n+j-1)*n+i+1]+p[((k-1)*n+j)*n+i-1]+p[((k-1)*n+j)*n+i]+p[((k-1)*n+j)*n+i+1]+p[((k-1)*n+j+1)*n+i-1]+p[((k-1)*n+j+1)*n+i]+p[((k-1)*n+j+1)*n+i+1]+
 p[(k*n+j-1)*n+i-1]+p[(k*n+j-1)*n+i]+p[(k*n+j-1)*n+i+1]+p[(k*n+j)*n+i-1]+p[(k*n+j)*n+i+1]+p[(k*n+j+1)*n+i-1]+p[(k*n+j+1)*n+i]+p[(k*n+j+1)*n+i+1]+
 p[((k+1)*n+j-1)*n+i-1]+p[((k+1)*n+j-1)*n+i]+p[((k+1)*n+j-1)*n+i+1]+p[((k+1)*n+j)*n+i-1]+p[((k+1)*n+j)*n+i]+p[((k+1)*n+j)*n+i+1]+p[((k+1)*n+j+1)*n+i-1]+p[((k+1)*n+j+1)*n+i]+p[((k+1)*n+j+1)*n+i+1]);}}
void mm_ikj(int n,double*R c,const double*R a,const double*R b){for(int i=0;i<n;i++)for(int k=0;k<n;k++)for(int j=0;j<n;j++)c[i*n+j]+=a[i*n+k]*b[k*n+j];}
void mm_ijk(int n,double*R c,const double*R a,const double*R b){for(int i=0;i<n;i++)for(int j=0;j<n;j++){double s=0;for(int k=0;k<n;k++)s+=a[i*n+k]*b[k*n+j];c[i*n+j]=s;}}
void horner(int n,double*R a,const double*R b,double s){for(int i=0;i<n;i++){double x=b[i];a[i]=(((((((s*x+1.1)*x+1.2)*x+1.3)*x+1.4)*x+1.5)*x+1.6)*x+1.7)*x+1.8;}}
void divide(int n,double*R a,const double*R b,const double*R c){for(int i=0;i<n;i++)a[i]=b[i]/c[i];}
void root(int n,double*R a,const double*R b){for(int i=0;i<n;i++)a[i]=sqrt(b[i]);}
void selectk(int n,double*R a,const double*R b,const double*R c){for(int i=0;i<n;i++)a[i]=b[i]>1.0?b[i]:c[i]*0.5;}
void gather(int n,double*R a,const int*R ix,const double*R b){for(int i=0;i<n;i++)a[i]=b[ix[i]];}
int isum(int n,const int*R a){int s=0;for(int i=0;i<n;i++)s+=a[i];return s;}
void ifma(int n,int*R a,const int*R b,const int*R c){for(int i=0;i<n;i++)a[i]=b[i]*c[i]+a[i];}
void ftriad(int n,float*R a,const float*R b,const float*R c,float s){for(int i=0;i<n;i++)a[i]=b[i]+s*c[i];}
void mixed(int n,double*R a,const float*R b,const double*R c){for(int i=0;i<n;i++)a[i]=c[i]+(double)b[i];}
void i2d(int n,double*R a,const int*R b,double s){for(int i=0;i<n;i++)a[i]=s*b[i];}
void cmul(int n,double complex*R a,const double complex*R b,const double complex*R c){for(int i=0;i<n;i++)a[i]=b[i]*c[i];}
void cadd(int n,double complex*R a,const double complex*R b,const double complex*R c){for(int i=0;i<n;i++)a[i]=b[i]+c[i];}
void prefix(int n,double*R a,const double*R b){for(int i=1;i<n;i++)a[i]=a[i-1]+b[i];}
void recur(int n,double*R a,const double*R b,double s){for(int i=1;i<n;i++)a[i]=s*a[i-1]+b[i];}
double poly(int n,const double*R a,double x){double s=0;for(int i=0;i<n;i++)s=s*x+a[i];return s;}
void strided(int n,double*R a,const double*R b){for(int i=0;i<n;i++)a[i]=b[2*i]+b[2*i+1];}
void rev(int n,double*R a,const double*R b){for(int i=0;i<n;i++)a[i]=b[n-1-i];}
double spmv(int n,const double*R v,const int*R c,const double*R x){double s=0;for(int i=0;i<n;i++)s+=v[i]*x[c[i]];return s;}
double fdot(int n,const float*R a,const float*R b){float s=0;for(int i=0;i<n;i++)s+=a[i]*b[i];return s;}
void hypotk(int n,double*R a,const double*R b,const double*R c){for(int i=0;i<n;i++)a[i]=b[i]*b[i]+c[i]*c[i];}
