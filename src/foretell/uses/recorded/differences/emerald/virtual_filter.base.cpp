namespace {
struct Filter {
    virtual float next(float v) = 0;
};
struct Smoother final : Filter {
    float state = 0;
    float next(float v) override { return state += 0.1f * (v - state); }
};
__attribute__((noinline)) void run(Filter &filter, int n, const float *in, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = filter.next(in[i]);
}
}  // namespace
extern "C" {
void run_filter(int n, const float *in, float *out)
{
    Smoother smoother;
    run(smoother, n, in, out);
}
}
