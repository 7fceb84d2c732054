void any_negative(int n, const int *v, int *found)
{
    *found = 0;
    for (int i = 0; i < n; i++)
        if (v[i] < 0) {
            *found = 1;
            return;
        }
}
