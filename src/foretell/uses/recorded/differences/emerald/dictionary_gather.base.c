void decode(int n, const unsigned char *restrict code, const float *restrict dictionary, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = dictionary[code[i]];
}
