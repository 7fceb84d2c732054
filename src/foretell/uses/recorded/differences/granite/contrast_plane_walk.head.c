void stretch(int w, int h, float *img, float gain, float mid)
{
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++) {
			float *px = img + y * w + x;

			*px = (*px - mid) * gain + mid;
		}
	}
}
