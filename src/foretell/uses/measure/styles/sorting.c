/* Sorting, searching and graphs. Keys are copied first, so that each call sorts the same. */
#include <string.h>

static void exchange(int *a, int *b) {
  if (*a > *b) {
    int t = *a;
    *a = *b;
    *b = t;
  }
}

void bitonic_sort(const int *keys, int *a, int n) {
  memcpy(a, keys, n * sizeof *a);
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2)
      for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l > i) {
          if ((i & k) == 0)
            exchange(&a[i], &a[l]);
          else
            exchange(&a[l], &a[i]);
        }
      }
}

/* Groups of eight by a network of nineteen comparators. */
void network_eight(const float *in, float *out, int groups) {
  static const int from[19] = {0, 2, 4, 6, 0, 1, 4, 5, 1, 5, 0, 3, 1, 2, 1, 3, 2, 4, 3};
  static const int to[19] = {1, 3, 5, 7, 2, 3, 6, 7, 2, 6, 4, 7, 5, 6, 4, 6, 3, 5, 4};
  for (int g = 0; g < groups; g++) {
    float v[8];
    for (int k = 0; k < 8; k++) v[k] = in[8 * g + k];
    for (int c = 0; c < 19; c++) {
      float lo = v[from[c]] < v[to[c]] ? v[from[c]] : v[to[c]], hi = v[from[c]] < v[to[c]] ? v[to[c]] : v[from[c]];
      v[from[c]] = lo;
      v[to[c]] = hi;
    }
    for (int k = 0; k < 8; k++) out[8 * g + k] = v[k];
  }
}

void insertion_sort(const double *keys, double *a, int n) {
  memcpy(a, keys, n * sizeof *a);
  for (int i = 1; i < n; i++) {
    double v = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = v;
  }
}

void heap_sort(const int *keys, int *a, int n) {
  memcpy(a, keys, n * sizeof *a);
  for (int end = n, start = n / 2; end > 1;) {
    if (start > 0) {
      start--;
    } else {
      end--;
      int t = a[end];
      a[end] = a[0];
      a[0] = t;
    }
    int root = start, v = a[root];
    while (2 * root + 1 < end) {
      int child = 2 * root + 1;
      if (child + 1 < end && a[child] < a[child + 1]) child++;
      if (v >= a[child]) break;
      a[root] = a[child];
      root = child;
    }
    a[root] = v;
  }
}

static void quick(int *a, int low, int high) {
  while (low < high) {
    int p = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
      while (a[i] < p) i++;
      while (a[j] > p) j--;
      if (i <= j) {
        int t = a[i];
        a[i++] = a[j];
        a[j--] = t;
      }
    }
    if (j - low < high - i) {
      quick(a, low, j);
      low = i;
    } else {
      quick(a, i, high);
      high = j;
    }
  }
}

void quick_sort(const int *keys, int *a, int n) {
  memcpy(a, keys, n * sizeof *a);
  quick(a, 0, n - 1);
}

void merge_runs(const int *a, const int *b, int *out, int n) {
  int i = 0, j = 0;
  for (int k = 0; k < 2 * n; k++)
    if (j >= n || (i < n && a[i] <= b[j]))
      out[k] = a[i++];
    else
      out[k] = b[j++];
}

void radix_pass(const unsigned *in, unsigned *out, int n, int shift) {
  int count[256];
  for (int i = 0; i < 256; i++) count[i] = 0;
  for (int i = 0; i < n; i++) count[(in[i] >> shift) & 255]++;
  for (int i = 0, sum = 0; i < 256; i++) {
    int c = count[i];
    count[i] = sum;
    sum += c;
  }
  for (int i = 0; i < n; i++) out[count[(in[i] >> shift) & 255]++] = in[i];
}

long binary_searches(const double *sorted, int n, const double *keys, int m) {
  long sum = 0;
  for (int k = 0; k < m; k++) {
    int low = 0, high = n;
    while (low < high) {
      int mid = low + (high - low) / 2;
      if (sorted[mid] < keys[k])
        low = mid + 1;
      else
        high = mid;
    }
    sum += low;
  }
  return sum;
}

/* One round of ranks along the edges of a graph. */
void page_rank(int n, const int *first, const int *target, const double *rank, double *next, double damping) {
  for (int v = 0; v < n; v++) next[v] = (1.0 - damping) / n;
  for (int v = 0; v < n; v++) {
    int degree = first[v + 1] - first[v];
    for (int e = first[v]; e < first[v + 1]; e++) next[target[e]] += damping * rank[v] / degree;
  }
}

void bellman_ford(int edges, const int *from, const int *to, const float *weight, float *dist) {
  for (int e = 0; e < edges; e++)
    if (dist[from[e]] + weight[e] < dist[to[e]]) dist[to[e]] = dist[from[e]] + weight[e];
}

double knapsack(int items, int capacity, const int *weight, const double *value, double *best) {
  for (int c = 0; c <= capacity; c++) best[c] = 0.0;
  for (int i = 0; i < items; i++)
    for (int c = capacity; c >= weight[i]; c--)
      if (best[c - weight[i]] + value[i] > best[c]) best[c] = best[c - weight[i]] + value[i];
  return best[capacity];
}
