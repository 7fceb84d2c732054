/* Prints one CPU of every physical core, also where a hypervisor hides which CPUs are threads of one core.
 *
 *   cc -O2 -pthread -I FOLDER_OF_foretell_interference.h cores.c && ./a.out
 *
 * Two CPUs share a core if the wide spin takes a quarter longer on one while the other runs it as well: threads of one core
 * take nearly twice as long, CPUs of two cores as long as alone. The median of many trials, since other tenants come and go.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "foretell_interference.h"

enum { TRIALS = 201, PASSES = 4096, MOST = 1024 };
static atomic_int running, ended;
static volatile uint64_t spun;

static void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void *beside(void *cpu) {
  pin(*(int *)cpu);
  atomic_store(&running, 1);
  while (!atomic_load(&ended)) spun = foretell_wide(spun, PASSES);
  return NULL;
}

static int longer(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static double spin(void) {
  int64_t times[TRIALS];
  for (int k = 0; k < TRIALS; k++) {
    const int64_t start = foretell_nanoseconds();
    spun = foretell_wide(spun, PASSES);
    times[k] = foretell_nanoseconds() - start;
  }
  qsort(times, TRIALS, sizeof *times, longer);
  return (double)times[TRIALS / 2];
}

static int share(int a, int b) {
  pthread_t other;
  pin(a);
  const double alone = spin();
  atomic_store(&running, 0);
  atomic_store(&ended, 0);
  if (pthread_create(&other, NULL, beside, &b)) return 0;
  while (!atomic_load(&running)) sched_yield();
  const double together = spin();
  atomic_store(&ended, 1);
  pthread_join(other, NULL);
  return together > 1.25 * alone;
}

int main(void) {
  cpu_set_t allowed;
  int first[MOST], count = 0;
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < MOST; cpu++) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    int known = 0;
    for (int k = 0; k < count && !known; k++) known = share(first[k], cpu);
    if (!known) first[count++] = cpu;
  }
  for (int k = 0; k < count; k++) printf("%s%d", k ? "," : "", first[k]);
  printf("\n");
  return 0;
}
