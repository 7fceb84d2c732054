#include <stdint.h>
#include <string.h>

void fold_sum(int len, const uint8_t *buf, uint32_t *out)
{
	uint64_t sum = 0;

	while (len > 3) {
		uint32_t word;

		memcpy(&word, buf, 4);
		sum += word;
		buf += 4;
		len -= 4;
	}
	while (len-- > 0)
		sum += *buf++;
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 16) + (sum & 0xffff);
	*out = (uint32_t)((sum >> 16) + sum);
}
