namespace {
int add(int a) { return a + 3; }
int twist(int a) { return a ^ (a >> 3); }
using Op = int (*)(int);
const Op table[2] = {add, twist};
}  // namespace

extern "C" {
void op_stream(int n, const unsigned char *code, int *value)
{
    for (int i = 0; i < n; ++i)
        value[i] = table[code[i] & 1](value[i]);
}
}
