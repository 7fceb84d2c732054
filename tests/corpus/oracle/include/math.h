#ifndef ORACLE_MATH_H
#define ORACLE_MATH_H
double sqrt(double); float sqrtf(float);
double fabs(double); float fabsf(float);
double exp(double); float expf(float);
double log(double); float logf(float);
double sin(double); float sinf(float);
double cos(double); float cosf(float);
double tan(double); double tanh(double); double atan(double);
double pow(double, double); float powf(float, float);
double cbrt(double); double floor(double); double ceil(double);
double fmin(double, double); double fmax(double, double);
double fma(double, double, double);
#define M_PI 3.14159265358979323846
#endif
