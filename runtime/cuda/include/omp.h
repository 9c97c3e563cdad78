/* OpenMP's functions for .cu files, which are compiled without OpenMP; libgomp has them if the program links it. */
#ifndef SIMTLAB_CUDA_OMP_H
#define SIMTLAB_CUDA_OMP_H

#ifdef __cplusplus
extern "C" {
#endif
void omp_set_num_threads(int count);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
double omp_get_wtime(void);
double omp_get_wtick(void);
#ifdef __cplusplus
}
#endif

#endif
