namespace {
constexpr int N = 1000;
struct Row {
    float v[N];
};
inline Row times(float f, const float* a)
{
    Row r;
    for (int i = 0; i < N; ++i)
        r.v[i] = f * a[i];
    return r;
}
}  // namespace

extern "C" {
void blend_rows(int n, const float *__restrict a, const float *__restrict b, float *__restrict out)
{
    const Row left = times(0.25f, a), right = times(0.75f, b);
    for (int i = 0; i < n; ++i)
        out[i] = left.v[i] + right.v[i];
}
}
