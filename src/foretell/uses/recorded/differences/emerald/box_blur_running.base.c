void box_blur(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = 0; k < 8; k++)
            sum += in[i + k];
        out[i] = sum >> 3;
    }
}
