namespace {
struct Filter {
    float* state;
    void run(int n, float* x)
    {
        float level = state[0];
        const float k = state[1];
        for (int i = 0; i < n; ++i) {
            level += k * (x[i] - level);
            x[i] = level;
        }
        state[0] = level;
    }
};
}  // namespace

extern "C" {
void filter_state(int n, float *x, float *state)
{
    Filter f{state};
    f.run(n, x);
}
}
