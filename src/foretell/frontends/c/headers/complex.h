#pragma once
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
/* Every function in three precisions: csin, csinf, csinl. */
#define FORETELL_COMPLEX(real, suffix) \
    real _Complex cacos##suffix(real _Complex); \
    real _Complex cacosh##suffix(real _Complex); \
    real _Complex casin##suffix(real _Complex); \
    real _Complex casinh##suffix(real _Complex); \
    real _Complex catan##suffix(real _Complex); \
    real _Complex catanh##suffix(real _Complex); \
    real _Complex ccos##suffix(real _Complex); \
    real _Complex ccosh##suffix(real _Complex); \
    real _Complex cexp##suffix(real _Complex); \
    real _Complex clog##suffix(real _Complex); \
    real _Complex conj##suffix(real _Complex); \
    real _Complex cproj##suffix(real _Complex); \
    real _Complex csin##suffix(real _Complex); \
    real _Complex csinh##suffix(real _Complex); \
    real _Complex csqrt##suffix(real _Complex); \
    real _Complex ctan##suffix(real _Complex); \
    real _Complex ctanh##suffix(real _Complex); \
    real cabs##suffix(real _Complex); \
    real carg##suffix(real _Complex); \
    real cimag##suffix(real _Complex); \
    real creal##suffix(real _Complex); \
    real _Complex cpow##suffix(real _Complex, real _Complex);
FORETELL_COMPLEX(double, ) FORETELL_COMPLEX(float, f) FORETELL_COMPLEX(long double, l)
#undef FORETELL_COMPLEX
#define CMPLX(x, y) ((double _Complex)((double)(x) + _Complex_I * (double)(y)))
#define CMPLXF(x, y) ((float _Complex)((float)(x) + _Complex_I * (float)(y)))
