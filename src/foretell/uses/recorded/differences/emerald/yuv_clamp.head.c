#include <stdint.h>
void yuv_to_rgb(int n, const uint8_t *restrict y, const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict rgb)
{
    for (int i = 0; i < n; i++) {
        float c = 1.164f * (y[i] - 16), d = u[i] - 128, e = v[i] - 128;
        float r = c + 1.596f * e, g = c - 0.391f * d - 0.813f * e, b = c + 2.018f * d;
        rgb[3 * i] = (uint8_t)(r < 0 ? 0 : r > 255 ? 255 : r);
        rgb[3 * i + 1] = (uint8_t)(g < 0 ? 0 : g > 255 ? 255 : g);
        rgb[3 * i + 2] = (uint8_t)(b < 0 ? 0 : b > 255 ? 255 : b);
    }
}
