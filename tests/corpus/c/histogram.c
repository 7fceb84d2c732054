/* Indirect increments, an index computed from data, a prefix sum, a counting sort. */
#include <stdio.h>
#ifndef N
#define N 50
#endif
#define BINS 8
static double value[N], weight[BINS], sorted[N];
static int bin[N], count[BINS + 1];

int main(void)
{
  for (int i = 0; i < N; i++)
    value[i] = (double)((i * 37) % 100) / 100.0;
  for (int i = 0; i < N; i++) {
    bin[i] = (int)(value[i] * BINS);
    count[bin[i] + 1]++;
    weight[bin[i]] += value[i];
  }
  for (int b = 0; b < BINS; b++)
    count[b + 1] += count[b];
  for (int i = 0; i < N; i++)
    sorted[count[bin[i]]++] = value[i];
  printf("%.12g %.12g %d\n", weight[3], sorted[N - 1], count[4]);
  return 0;
}
