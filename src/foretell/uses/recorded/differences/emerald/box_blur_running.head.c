void box_blur(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    int sum = 0;
    for (int k = 0; k < 7; k++)
        sum += in[k];
    for (int i = 0; i < n; i++) {
        sum += in[i + 7];
        out[i] = sum >> 3;
        sum -= in[i];
    }
}
