#pragma once
#include <time.h>
struct timeval { time_t tv_sec; long tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
int gettimeofday(struct timeval *restrict, void *restrict);
#define timersub(a, b, result)                            \
    do {                                                  \
        (result)->tv_sec = (a)->tv_sec - (b)->tv_sec;     \
        (result)->tv_usec = (a)->tv_usec - (b)->tv_usec;  \
        if ((result)->tv_usec < 0) {                      \
            --(result)->tv_sec;                           \
            (result)->tv_usec += 1000000;                 \
        }                                                 \
    } while (0)
