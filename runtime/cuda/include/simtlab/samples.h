/* What the samples of an SDK share: timers, command-line flags, comparison, PGM files. helper_*.h and cutil*.h give it
 * their names. */
#ifndef SIMTLAB_CUDA_SAMPLES_H
#define SIMTLAB_CUDA_SAMPLES_H

#include "cuda_runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define SIMTLAB_SAMPLE static inline __attribute__((unused))

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

/* Ends the program with the failed call's place. */
SIMTLAB_SAMPLE void simtlab_require(cudaError_t error, const char *call, const char *file, int line)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
SIMTLAB_SAMPLE void simtlab_require_driver(int error, const char *call, const char *file, int line)
{
  if (error == 0)
    return;
  fprintf(stderr, "%s:%d: %s: error %d\n", file, line, call, error);
  exit(EXIT_FAILURE);
}

/* Timers of the host, in milliseconds */
struct simtlab_timer {
  double started, total, last;
  int sessions, runs;
};
SIMTLAB_SAMPLE double simtlab_now()
{
  struct timeval t;
  gettimeofday(&t, 0);
  return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3;
}
SIMTLAB_SAMPLE void simtlab_timer_start(struct simtlab_timer *t)
{
  t->started = simtlab_now();
  t->runs = 1;
}
SIMTLAB_SAMPLE void simtlab_timer_stop(struct simtlab_timer *t)
{
  t->last = simtlab_now() - t->started;
  t->total += t->last;
  t->sessions++;
  t->runs = 0;
}
SIMTLAB_SAMPLE void simtlab_timer_reset(struct simtlab_timer *t)
{
  t->total = t->last = 0;
  t->sessions = 0;
  if (t->runs)
    t->started = simtlab_now();
}
SIMTLAB_SAMPLE float simtlab_timer_value(const struct simtlab_timer *t)
{
  return (float)(t->total + (t->runs ? simtlab_now() - t->started : 0));
}
SIMTLAB_SAMPLE float simtlab_timer_average(const struct simtlab_timer *t)
{
  return t->sessions > 0 ? (float)(t->total / t->sessions) : 0;
}

/* The value of -name=value or --name=value; NULL without the flag, "" without a value */
SIMTLAB_SAMPLE const char *simtlab_flag(int argc, const char **argv, const char *name)
{
  const size_t length = strlen(name);
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i] + strspn(argv[i], "-");
    if (word != argv[i] && strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '='))
      return word[length] == '=' ? word + length + 1 : word + length;
  }
  return 0;
}

/* A file of this name here, in data/, or beside the program; the caller frees it. */
SIMTLAB_SAMPLE char *simtlab_find(const char *name, const char *program)
{
  static const char *const folders[] = {"", "data/", "./data/", "../data/", "../../data/", "../common/data/"};
  char path[4096];
  for (int beside = 0; beside < (program != 0 ? 2 : 1); beside++)
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
      const char *slash = program != 0 ? strrchr(program, '/') : 0;
      snprintf(path, sizeof path, "%.*s%s%s", beside && slash != 0 ? (int)(slash - program + 1) : 0,
               program != 0 ? program : "", folders[i], name);
      FILE *file = fopen(path, "rb");
      if (file != 0) {
        fclose(file);
        return strdup(path);
      }
    }
  return 0;
}

template <class T> SIMTLAB_SAMPLE bool simtlab_close(const T *a, const T *b, unsigned int n, double epsilon)
{
  for (unsigned int i = 0; i < n; i++)
    if (!(fabs((double)a[i] - (double)b[i]) <= epsilon))
      return false;
  return true;
}
/* The Euclidean distance relative to the reference's length */
SIMTLAB_SAMPLE bool simtlab_close_l2(const float *reference, const float *data, unsigned int n, float epsilon)
{
  double error = 0, length = 0;
  for (unsigned int i = 0; i < n; i++) {
    const double d = (double)reference[i] - (double)data[i];
    error += d * d;
    length += (double)reference[i] * (double)reference[i];
  }
  return length > 1e-14 && sqrt(error / length) < epsilon;
}

SIMTLAB_SAMPLE bool simtlab_load_pgm(const char *path, unsigned char **data, unsigned int *width, unsigned int *height)
{
  FILE *file = fopen(path, "rb");
  unsigned int most;
  char line[256];
  if (file == 0)
    return false;
  bool good = fgets(line, sizeof line, file) != 0 && strncmp(line, "P5", 2) == 0;
  long at = ftell(file);
  while (good && fgets(line, sizeof line, file) != 0 && line[0] == '#')
    at = ftell(file);
  good = good && fseek(file, at, SEEK_SET) == 0 && fscanf(file, "%u %u %u", width, height, &most) == 3 &&
         fgetc(file) != EOF;
  const size_t bytes = good ? (size_t)*width * *height : 0;
  if (good && *data == 0)
    *data = (unsigned char *)malloc(bytes);
  good = good && *data != 0 && fread(*data, 1, bytes, file) == bytes;
  fclose(file);
  return good;
}
SIMTLAB_SAMPLE bool simtlab_load_pgm(const char *path, float **data, unsigned int *width, unsigned int *height)
{
  unsigned char *bytes = 0;
  if (!simtlab_load_pgm(path, &bytes, width, height))
    return false;
  const size_t n = (size_t)*width * *height;
  if (*data == 0)
    *data = (float *)malloc(n * sizeof(float));
  for (size_t i = 0; *data != 0 && i < n; i++)
    (*data)[i] = (float)bytes[i] / 255.0f;
  free(bytes);
  return *data != 0;
}
SIMTLAB_SAMPLE unsigned char simtlab_grey(unsigned char v)
{
  return v;
}
SIMTLAB_SAMPLE unsigned char simtlab_grey(float v)
{
  return (unsigned char)(v <= 0 ? 0 : v >= 1 ? 255 : v * 255);
}
template <class T>
SIMTLAB_SAMPLE bool simtlab_save_pgm(const char *path, const T *data, unsigned int width, unsigned int height)
{
  FILE *file = fopen(path, "wb");
  if (file == 0)
    return false;
  fprintf(file, "P5\n%u %u\n255\n", width, height);
  for (size_t i = 0; i < (size_t)width * height; i++)
    fputc(simtlab_grey(data[i]), file);
  return fclose(file) == 0;
}

SIMTLAB_SAMPLE int simtlab_choose_device(int argc, const char **argv)
{
  const char *value = simtlab_flag(argc, argv, "device");
  const int device = value != 0 ? atoi(value) : 0;
  struct cudaDeviceProp prop;
  simtlab_require(cudaSetDevice(device), "cudaSetDevice", __FILE__, __LINE__);
  simtlab_require(cudaGetDeviceProperties(&prop, device), "cudaGetDeviceProperties", __FILE__, __LINE__);
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, prop.name, prop.major, prop.minor);
  return device;
}

#endif
