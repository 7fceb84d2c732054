extern "C" {
void relu_all(int n, const float *in, float *out)
{
    for (int i = 0; i < n; ++i) {
        if (in[i] > 0.0f)
            out[i] = in[i];
        else
            out[i] = 0.0f;
    }
}
}
