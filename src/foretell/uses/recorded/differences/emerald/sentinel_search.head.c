void find_key(int n, int key, int *restrict keys, int *restrict at)
{
    int i = 0;
    keys[n] = key;
    while (keys[i] != key)
        i++;
    at[0] = i;
}
