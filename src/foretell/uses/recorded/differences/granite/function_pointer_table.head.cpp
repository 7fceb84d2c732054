namespace {
inline int add(int a) { return a + 3; }
inline int twist(int a) { return a ^ (a >> 3); }
}  // namespace

extern "C" {
void op_stream(int n, const unsigned char *code, int *value)
{
    for (int i = 0; i < n; ++i) {
        switch (code[i] & 1) {
        case 0: value[i] = add(value[i]); break;
        default: value[i] = twist(value[i]); break;
        }
    }
}
}
