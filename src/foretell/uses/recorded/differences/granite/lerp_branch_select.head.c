void pick_side(int n, const int *key, const int *left, int *out)
{
	int i;

	for (i = 0; i < n; i++) {
		int odd = -(key[i] & 1), a = left[i] * 3, b = left[i] + 7;

		out[i] = (a & odd) | (b & ~odd);
	}
}
