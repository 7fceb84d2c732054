#ifndef ORACLE_OMP_H
#define ORACLE_OMP_H
int omp_get_thread_num(void);
int omp_get_max_threads(void);
#endif
