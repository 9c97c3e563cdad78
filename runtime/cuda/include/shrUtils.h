/* Shared helpers of the samples of SDK 3 and 4: log, time, flags, files, comparison */
#ifndef SIMTLAB_CUDA_SHRUTILS_H
#define SIMTLAB_CUDA_SHRUTILS_H

#include "simtlab/samples.h"

#include <stdarg.h>

#ifdef _WIN32
#define STDCALL __stdcall
#else
#define STDCALL
#endif

typedef unsigned char shrBOOL;
#define shrFALSE ((shrBOOL)0)
#define shrTRUE ((shrBOOL)1)
#define CLAMP(a, least, most) (MIN((most), MAX((a), (least))))

/* Modes of shrLogEx; all print on standard output, but errors. */
enum LOGMODES { LOGCONSOLE = 1, LOGFILE = 2, LOGBOTH = 3, APPENDMODE = 4, MASTER = 8, ERRORMSG = 16, CLOSELOG = 32 };

#undef shrLog
#define shrLog(...) printf(__VA_ARGS__)

SIMTLAB_SAMPLE void shrSetLogFileName(const char *)
{
}
SIMTLAB_SAMPLE int shrLogEx(int mode, int number, const char *format, ...)
{
  va_list values;
  FILE *file = mode & ERRORMSG ? stderr : stdout;
  if (mode & ERRORMSG)
    fprintf(file, "error %d: ", number);
  va_start(values, format);
  const int written = format != 0 ? vfprintf(file, format, values) : 0;
  va_end(values);
  return written;
}

/* Seconds since the last call with this counter, 0 at its first */
SIMTLAB_SAMPLE double shrDeltaT(int counter)
{
  static double last[3];
  const double now = simtlab_now() * 1e-3;
  if (counter < 0 || counter >= 3)
    return -9999.0;
  const double passed = last[counter] != 0 ? now - last[counter] : 0;
  last[counter] = now;
  return passed;
}

SIMTLAB_SAMPLE size_t shrRoundUp(int group, int all)
{
  return (size_t)((all + group - 1) / group * group);
}
SIMTLAB_SAMPLE void shrFillArray(float *data, int count)
{
  for (int i = 0; i < count; i++)
    data[i] = (float)rand() / (float)RAND_MAX;
}

SIMTLAB_SAMPLE shrBOOL shrCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
  return simtlab_flag(argc, argv, name) != 0;
}
SIMTLAB_SAMPLE shrBOOL shrGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = atoi(text);
  return text != 0;
}
SIMTLAB_SAMPLE shrBOOL shrGetCmdLineArgumentu(int argc, const char **argv, const char *name, unsigned int *value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = (unsigned int)strtoul(text, 0, 10);
  return text != 0;
}
SIMTLAB_SAMPLE shrBOOL shrGetCmdLineArgumentf(int argc, const char **argv, const char *name, float *value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = (float)atof(text);
  return text != 0;
}
SIMTLAB_SAMPLE shrBOOL shrGetCmdLineArgumentstr(int argc, const char **argv, const char *name, char **value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = strdup(text);
  return text != 0;
}

SIMTLAB_SAMPLE char *shrFindFilePath(const char *name, const char *program)
{
  return simtlab_find(name, program);
}
SIMTLAB_SAMPLE void shrFree(void *p)
{
  free(p);
}
SIMTLAB_SAMPLE shrBOOL shrLoadPGMub(const char *path, unsigned char **data, unsigned int *width, unsigned int *height)
{
  return simtlab_load_pgm(path, data, width, height);
}
SIMTLAB_SAMPLE shrBOOL shrSavePGMub(const char *path, unsigned char *data, unsigned int width, unsigned int height)
{
  return simtlab_save_pgm(path, data, width, height);
}
SIMTLAB_SAMPLE shrBOOL shrComparef(const float *reference, const float *data, unsigned int length)
{
  return simtlab_close(reference, data, length, 0);
}
SIMTLAB_SAMPLE shrBOOL shrCompareui(const unsigned int *reference, const unsigned int *data, unsigned int length)
{
  return simtlab_close(reference, data, length, 0);
}
SIMTLAB_SAMPLE shrBOOL shrComparefe(const float *reference, const float *data, unsigned int length, float epsilon)
{
  return simtlab_close(reference, data, length, epsilon);
}
SIMTLAB_SAMPLE shrBOOL shrCompareL2fe(const float *reference, const float *data, unsigned int length, float epsilon)
{
  return simtlab_close_l2(reference, data, length, epsilon);
}

/* A sample checks that two values are equal, and ends with its own function or with EXIT_FAILURE if they are not. */
SIMTLAB_SAMPLE void simtlab_require_equal(int value, int wanted, void (*ends)(int), const char *file, int line)
{
  if (value == wanted)
    return;
  fprintf(stderr, "%s:%d: %d instead of %d\n", file, line, value, wanted);
  if (ends != 0)
    ends(EXIT_FAILURE);
  exit(EXIT_FAILURE);
}
#define shrCheckErrorEX(value, wanted, ends) simtlab_require_equal((value), (wanted), (ends), __FILE__, __LINE__)
#define shrCheckError(value, wanted) shrCheckErrorEX(value, wanted, 0)
#define shrExitEX(argc, argv, status) exit(status)
#define shrEXIT(argc, argv) exit(EXIT_SUCCESS)

#endif
