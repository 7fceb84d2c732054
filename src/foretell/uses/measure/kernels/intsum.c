/* A sum of integers, which the compiler may reorder. */
int intsum(long n, const int *restrict a) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += a[i];
  return sum;
}
