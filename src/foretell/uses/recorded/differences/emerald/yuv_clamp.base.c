#include <stdint.h>
static uint8_t clamp(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
void yuv_to_rgb(int n, const uint8_t *restrict y, const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict rgb)
{
    for (int i = 0; i < n; i++) {
        int c = 298 * (y[i] - 16), d = u[i] - 128, e = v[i] - 128;
        rgb[3 * i] = clamp((c + 409 * e + 128) >> 8);
        rgb[3 * i + 1] = clamp((c - 100 * d - 208 * e + 128) >> 8);
        rgb[3 * i + 2] = clamp((c + 516 * d + 128) >> 8);
    }
}
