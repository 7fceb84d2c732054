namespace {
struct Ring {
    const int* slot;
    int capacity, head;
    int pop()
    {
        int v = slot[head];
        if (++head == capacity)
            head = 0;
        return v;
    }
};
}  // namespace

extern "C" {
void drain(int n, int cap, const int *slots, int *out)
{
    Ring ring{slots, cap, 0};
    for (int i = 0; i < n; ++i)
        out[i] = ring.pop();
}
}
