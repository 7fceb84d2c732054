#pragma once
typedef double double_t;
typedef float float_t;
/* Every function in three precisions: sin, sinf, sinl. */
#define FORETELL_UNARY(name) double name(double); float name##f(float); long double name##l(long double);
#define FORETELL_BINARY(name) \
    double name(double, double); float name##f(float, float); long double name##l(long double, long double);
FORETELL_UNARY(acos) FORETELL_UNARY(acosh) FORETELL_UNARY(asin) FORETELL_UNARY(asinh) FORETELL_UNARY(atan)
FORETELL_UNARY(atanh) FORETELL_UNARY(cbrt) FORETELL_UNARY(ceil) FORETELL_UNARY(cos) FORETELL_UNARY(cosh)
FORETELL_UNARY(erf) FORETELL_UNARY(erfc) FORETELL_UNARY(exp) FORETELL_UNARY(exp10) FORETELL_UNARY(exp2)
FORETELL_UNARY(expm1) FORETELL_UNARY(fabs) FORETELL_UNARY(floor) FORETELL_UNARY(lgamma) FORETELL_UNARY(log)
FORETELL_UNARY(log10) FORETELL_UNARY(log1p) FORETELL_UNARY(log2) FORETELL_UNARY(logb) FORETELL_UNARY(nearbyint)
FORETELL_UNARY(rint) FORETELL_UNARY(round) FORETELL_UNARY(sin) FORETELL_UNARY(sinh) FORETELL_UNARY(sqrt)
FORETELL_UNARY(tan) FORETELL_UNARY(tanh) FORETELL_UNARY(tgamma) FORETELL_UNARY(trunc) FORETELL_UNARY(significand)
FORETELL_UNARY(j0) FORETELL_UNARY(j1) FORETELL_UNARY(y0) FORETELL_UNARY(y1)
FORETELL_BINARY(atan2) FORETELL_BINARY(copysign) FORETELL_BINARY(fdim) FORETELL_BINARY(fmax) FORETELL_BINARY(fmin)
FORETELL_BINARY(fmod) FORETELL_BINARY(hypot) FORETELL_BINARY(nextafter) FORETELL_BINARY(pow)
FORETELL_BINARY(remainder) FORETELL_BINARY(drem)
#define FORETELL_OTHERS(real, suffix) \
    real fma##suffix(real, real, real); \
    real frexp##suffix(real, int *); \
    real ldexp##suffix(real, int); \
    real modf##suffix(real, real *); \
    real scalbn##suffix(real, int); \
    real scalbln##suffix(real, long); \
    int ilogb##suffix(real); \
    long lrint##suffix(real); \
    long lround##suffix(real); \
    long long llrint##suffix(real); \
    long long llround##suffix(real); \
    real nan##suffix(const char *); \
    real remquo##suffix(real, real, int *); \
    real nexttoward##suffix(real, long double); \
    void sincos##suffix(real, real *, real *); \
    real jn##suffix(int, real); \
    real yn##suffix(int, real);
FORETELL_OTHERS(double, ) FORETELL_OTHERS(float, f) FORETELL_OTHERS(long double, l)
#undef FORETELL_UNARY
#undef FORETELL_BINARY
#undef FORETELL_OTHERS
extern int signgam;
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define MAXFLOAT 3.40282347e+38F
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define islessgreater(x, y) ((x) != (y))
#define isunordered(x, y) __builtin_isunordered(x, y)
