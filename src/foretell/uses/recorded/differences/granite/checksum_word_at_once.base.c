#include <stdint.h>

void fold_sum(int len, const uint8_t *buf, uint32_t *out)
{
	uint32_t sum = 0;

	while (len > 1) {
		sum += (uint32_t)buf[0] | (uint32_t)buf[1] << 8;
		buf += 2;
		len -= 2;
	}
	if (len)
		sum += *buf;
	sum = (sum >> 16) + (sum & 0xffff);
	*out = (sum >> 16) + sum;
}
