/* A search tree: every query goes down, and where it goes depends on what it finds. */
void search(int queries, int depth, float key[queries], int result[queries], float node[], int child[])
{
    #pragma acc parallel loop copyin(key) copyout(result) tile(q:32)
    for (int q = 0; q < queries; q++) {
        int at = 0;
        for (int l = 0; l < depth; l++)
            at = child[2 * at + (key[q] > node[at])];
        result[q] = at;
    }
}
