void pick_side(int n, const int *key, const int *left, int *out)
{
	int i;

	for (i = 0; i < n; i++) {
		if (key[i] & 1)
			out[i] = left[i] * 3;
		else
			out[i] = left[i] + 7;
	}
}
