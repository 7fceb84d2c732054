extern "C" {
void negate_tail(int count, double *samples)
{
    for (double *cursor = samples; cursor != samples + count; ++cursor)
        *cursor = -*cursor;
}
}
